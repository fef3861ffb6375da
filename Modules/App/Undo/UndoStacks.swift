/// Which changes can be taken back, and which of those that were can be done again; oldest first.
///
/// It is read and written with every change, so it is a short text: the number of the next entry, then the groups of
/// both stacks as ranges of entries, and the name of the newest group where it is still open.
struct UndoStacks: Sendable, Hashable {
    /// How many changes can be taken back.
    static let limit = 100

    var next = 0
    var undo: [ClosedRange<Int>] = []
    var redo: [ClosedRange<Int>] = []
    /// The group that later saves of the same command still belong to.
    var openGroup: String?

    init() {}

    /// Reads what ``text`` writes; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let next = Int(parts[0]), let undo = Self.ranges(parts[1]),
            let redo = Self.ranges(parts[2])
        else { return nil }
        self.next = next
        self.undo = undo
        self.redo = redo
        openGroup = parts[3].isEmpty ? nil : String(parts[3])
    }

    var text: String { "\(next);\(Self.text(undo));\(Self.text(redo));\(openGroup ?? "")" }

    private static func text(_ ranges: [ClosedRange<Int>]) -> String {
        ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    private static func ranges(_ text: Substring) -> [ClosedRange<Int>]? {
        var found: [ClosedRange<Int>] = []
        for range in text.split(separator: ",") {
            let ends = range.split(separator: "-")
            guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last else { return nil }
            found.append(first...last)
        }
        return found
    }

    // MARK: Entries

    /// Adds an entry to what can be taken back; a new change, so that nothing can be done again any more.
    ///
    /// - Parameter group: The command that the change belongs to, where it makes several.
    /// - Returns: The entry's number, and those of the entries that are not needed any more.
    mutating func add(group: String?) -> (entry: Int, outdated: [Int]) {
        var outdated = redo.flatMap(Array.init)
        redo = []
        let entry = take()
        if let group, group == openGroup, let last = undo.last, last.upperBound == entry - 1 {
            undo[undo.count - 1] = last.lowerBound...entry
        } else {
            undo.append(entry...entry)
        }
        openGroup = group
        while undo.count > Self.limit { outdated += Array(undo.removeFirst()) }
        return (entry, outdated)
    }

    /// Takes the number of the next entry.
    mutating func take() -> Int {
        defer { next += 1 }
        return next
    }
}
