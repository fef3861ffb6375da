import Foundation
import TrendyDomain
import TrendySync

/// The changes that can be undone, and those that can be redone; oldest first.
///
/// The stacks are read and written with every change, so their text is short: the number of the next entry, then the
/// changes of both stacks as ranges of entries, then the groups of the changes that can still grow, by their places.
struct UndoStacks: Sendable, Hashable {
    /// How many changes can be undone.
    static let limit = 100

    /// A change that is undone as one.
    struct Change: Sendable, Hashable {
        /// The entries in their order; several ranges if other changes came in between.
        var ranges: [ClosedRange<Int>]
        /// The name that later saves of the same command use; nil if there are none.
        var group: String?

        /// The numbers of its entries.
        var entries: [Int] { ranges.flatMap(Array.init) }

        fileprivate mutating func add(_ entry: Int) {
            if let last = ranges.last, last.upperBound == entry - 1 {
                ranges[ranges.count - 1] = last.lowerBound...entry
            } else {
                ranges.append(entry...entry)
            }
        }

        fileprivate var text: String {
            ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: "+")
        }

        fileprivate init?(_ text: Substring) {
            var ranges: [ClosedRange<Int>] = []
            for range in text.split(separator: "+", omittingEmptySubsequences: false) {
                let ends = range.split(separator: "-")
                guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last else {
                    return nil
                }
                ranges.append(first...last)
            }
            self.ranges = ranges
        }

        fileprivate init(_ entry: Int, group: String?) {
            ranges = [entry...entry]
            self.group = group
        }

        /// A change of consecutive entries that does not grow.
        init(_ entries: ClosedRange<Int>) { ranges = [entries] }
    }

    var next = 0
    var undo: [Change] = []
    var redo: [Change] = []

    init() {}

    /// Reads what ``text`` writes; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let next = Int(parts[0]), var undo = Self.changes(parts[1]),
            let redo = Self.changes(parts[2])
        else { return nil }
        // A name without a valid position is skipped: later steps then make a change of their own.
        for name in parts[3].split(separator: ",") {
            let words = name.split(separator: ":", maxSplits: 1)
            guard words.count == 2, let place = Int(words[0]), undo.indices.contains(place) else { continue }
            undo[place].group = String(words[1])
        }
        self.next = next
        self.undo = undo
        self.redo = redo
    }

    var text: String {
        let names = undo.enumerated().compactMap { place, change in change.group.map { "\(place):\($0)" } }
        return "\(next);\(Self.text(undo));\(Self.text(redo));\(names.joined(separator: ","))"
    }

    private static func text(_ changes: [Change]) -> String { changes.map(\.text).joined(separator: ",") }

    private static func changes(_ text: Substring) -> [Change]? {
        let parts = text.split(separator: ",")
        let changes = parts.compactMap { Change($0) }
        return changes.count == parts.count ? changes : nil
    }

    // MARK: Entries

    /// Adds an entry to the undo stack, and clears the redo stack.
    ///
    /// - Parameters:
    ///   - group: The group of the change, if its command makes several saves.
    ///   - spansOthers: Whether the entry also joins a change of that group if other changes came in between. That change
    ///     becomes the newest one.
    /// - Returns: The number of the entry, and the numbers of outdated entries.
    mutating func add(group: String?, spansOthers: Bool = true) -> (entry: Int, outdated: [Int]) {
        var outdated = redo.flatMap(\.entries)
        redo = []
        let entry = take()
        let place = group.flatMap { group in undo.lastIndex { $0.group == group } }
        if let place, spansOthers || place == undo.count - 1 {
            var change = undo.remove(at: place)
            change.add(entry)
            undo.append(change)
        } else {
            undo.append(Change(entry, group: group))
        }
        while undo.count > Self.limit { outdated += undo.removeFirst().entries }
        return (entry, outdated)
    }

    /// Takes the number of the next entry.
    mutating func take() -> Int {
        defer { next += 1 }
        return next
    }
}

/// A change of a record, with the data to undo it.
struct UndoStep: Codable, Sendable, Hashable {
    let operation: MutationOperation
    let entityType: EntityType
    let id: String
    /// For a deletion the whole record; for an edit the former values of the changed fields.
    let before: [String: JSONValue]?
    /// For an edit the new values of the changed fields.
    let after: [String: JSONValue]?
    /// The time of an edit; nil for other operations, and for entries of earlier versions.
    var at: Timestamp?

    init(_ change: LocalChange) throws {
        switch change {
        case .created(let record): self = Self.created(record)
        case .deleted(let record): self = try Self.deleted(record)
        case .updated(let former, let present): self = try Self.updated(former, present)
        }
    }

    init(
        _ operation: MutationOperation, _ entityType: EntityType, _ id: String, before: [String: JSONValue]? = nil,
        after: [String: JSONValue]? = nil
    ) {
        self.operation = operation
        self.entityType = entityType
        self.id = id
        self.before = before
        self.after = after
    }

    private static func created<Entity: SyncEntity>(_ record: Entity) -> UndoStep {
        UndoStep(.create, Entity.entityType, record.id)
    }

    private static func deleted<Entity: SyncEntity>(_ record: Entity) throws -> UndoStep {
        UndoStep(.delete, Entity.entityType, record.id, before: try WireCoding.fields(of: record))
    }

    private static func updated<Entity: SyncEntity>(_ former: Entity, _ present: any SyncEntity) throws -> UndoStep {
        guard let present = present as? Entity else { return UndoStep(.update, Entity.entityType, former.id) }
        let patch = try Patch(from: former, to: present)
        return UndoStep(
            .update, Entity.entityType, former.id, before: try patch.values(in: former), after: patch.changes)
    }

    private enum CodingKeys: String, CodingKey {
        case operation, id, before, after, at
        case entityType = "entity_type"
    }
}

/// The text of an entry in the journal: its steps as JSON.
///
/// An import creates many records. If all steps created records of one kind with UUIDs, the text has only the kind and
/// the ids: `made event AaIUas8...`, each id as 16 bytes in Base64.
enum UndoEntryText {
    private static let made = "made "

    static func text(_ steps: ArraySlice<UndoStep>) throws -> String {
        try short(steps) ?? String(decoding: WireCoding.encode(Array(steps)), as: UTF8.self)
    }

    static func steps(_ text: String) throws -> [UndoStep] {
        guard text.hasPrefix(made), let end = text.lastIndex(of: " "),
            let ids = Data(base64Encoded: String(text[text.index(after: end)...])), ids.count.isMultiple(of: 16)
        else { return try WireCoding.decode([UndoStep].self, from: Data(text.utf8)) }
        let kind = EntityType(rawValue: String(text[..<end].dropFirst(made.count)))
        return ids.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 16).map { start in
                let high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self))
                return UndoStep(.create, kind, UUIDText.text(high: high, low: low))
            }
        }
    }

    /// The kind and the ids; nil if the steps have other data.
    private static func short(_ steps: ArraySlice<UndoStep>) -> String? {
        guard let kind = steps.first?.entityType else { return nil }
        var ids = Data(capacity: steps.count * 16)
        for step in steps {
            guard let (high, low) = UUIDText.parse(step.id), step == UndoStep(.create, kind, step.id) else {
                return nil
            }
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { ids.append(contentsOf: $0) }
        }
        return "\(made)\(kind.rawValue) \(ids.base64EncodedString())"
    }
}
