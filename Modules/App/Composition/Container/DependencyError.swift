/// What is wrong with a graph of dependencies, each with the path to it: the type that was asked for, then what it
/// needs, and so on.
public enum DependencyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The last type of the path is registered nowhere.
    case missing(path: [String])
    /// The last type of the path is also the one at which the circle begins.
    case cycle(path: [String])
    /// The last type of the path is kept by a scope, and there is none; the one before it outlives every scope, or
    /// was asked of the container itself.
    case outsideScope(path: [String])

    /// What is wrong, with the types on the way to it.
    public var description: String {
        switch self {
        case .missing(let path):
            "\(path.last ?? "a type") is not registered\(needed(by: path)); register it where the program is composed"
        case .cycle(let path):
            "\(path.joined(separator: " → ")): each needs the next, so that none can be made first"
        case .outsideScope(let path):
            "\(path.last ?? "a type") is kept by a scope\(needed(by: path)), which has none; resolve it from a scope"
        }
    }

    private func needed(by path: [String]) -> String {
        path.count > 1 ? " and needed by \(path.dropLast().joined(separator: " → "))" : ""
    }
}
