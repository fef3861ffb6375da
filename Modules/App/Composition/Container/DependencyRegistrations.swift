/// How long what a factory has made is kept.
public enum Lifetime: String, Sendable, Hashable {
    /// One for the container and everything that it serves.
    case singleton
    /// A new one for whoever asks.
    case transient
    /// One for each ``DependencyScope``.
    case scoped
}

/// What a graph is made of: for each type, what makes it, from what, and how long it is kept.
///
/// It is a value: a test takes the registrations of the product, registers its own parts over some of them, and
/// makes a ``DependencyContainer`` from the result. The product's stay as they are.
///
/// ```swift
/// var registrations = DependencyRegistrations()
/// registrations.register((any WallClock).self) { SystemWallClock() }
/// registrations.register(
///     SyncEngine.self, from: (any NetworkClientProtocol).self, (any DataStoreFactory).self
/// ) { client, stores in SyncEngine(networkClient: client, dataStoreFactory: stores) }
/// ```
public struct DependencyRegistrations: Sendable {
    private(set) var byType: [ObjectIdentifier: DependencyRegistration] = [:]

    /// Makes an empty graph.
    public init() {}

    /// Registers what makes a type; an earlier registration of the type is replaced.
    ///
    /// What the factory needs is named by type and handed to it. It is given no other way to the container, so
    /// that ``DependencyContainer/validate()`` knows the whole graph without making any of it.
    ///
    /// - Parameters:
    ///   - type: The type that will be asked for: a protocol where the implementation is to be replaced.
    ///   - lifetime: How long one is kept.
    ///   - needs: The types of what the factory is handed, in the order of its parameters.
    ///   - make: Makes one. It runs when the first one is needed, on the thread that asks, without any lock held.
    public mutating func register<Service: Sendable, each Need: Sendable>(
        _ type: Service.Type, as lifetime: Lifetime = .singleton, from needs: repeat (each Need).Type,
        make: @escaping @Sendable (repeat each Need) throws -> Service
    ) {
        var keys: [DependencyKey] = []
        for need in repeat each needs { keys.append(DependencyKey(type: need)) }
        byType[ObjectIdentifier(type)] = DependencyRegistration(
            key: DependencyKey(type: type), lifetime: lifetime, needs: keys,
            make: { resolution in Instance(try make(repeat try resolution.resolve((each Need).self))) })
    }
}

/// What makes one type.
struct DependencyRegistration: Sendable {
    let key: DependencyKey
    let lifetime: Lifetime
    /// What its factory is handed, in this order.
    let needs: [DependencyKey]
    let make: @Sendable (Resolution) throws -> any Sendable & AnyObject
}

/// A type by which something is registered: two with the same name are two all the same.
struct DependencyKey: Hashable, Sendable, CustomStringConvertible {
    let type: Any.Type

    var id: ObjectIdentifier { ObjectIdentifier(type) }
    /// As it is told to people; to work it out takes longer than to resolve it.
    var description: String { "\(type)" }

    static func == (left: Self, right: Self) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a factory has made.
final class Instance<Service: Sendable>: Sendable {
    let service: Service

    init(_ service: Service) { self.service = service }
}

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
