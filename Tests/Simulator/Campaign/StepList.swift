/// A list of steps as text: `3,17-20,95`.
public struct StepList: Sendable, CustomStringConvertible {
    /// The steps, in ascending order.
    public let numbers: [Int]

    public init(_ numbers: [Int]) {
        self.numbers = numbers.sorted()
    }

    /// Reads a list; nil where it is none.
    public init?(_ text: String) {
        var numbers: [Int] = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, 0 < first, first <= last
            else { return nil }
            numbers += first...last
        }
        self.init(numbers)
    }

    public var description: String {
        var parts: [String] = []
        var rest = numbers[...]
        while let first = rest.popFirst() {
            var last = first
            while rest.first == last + 1 { last = rest.removeFirst() }
            parts.append(first == last ? "\(first)" : "\(first)-\(last)")
        }
        return parts.joined(separator: ",")
    }
}
