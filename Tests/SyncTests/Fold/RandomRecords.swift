import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Draws documents, changes and histories of a small kind of record, the same for the same seed.
struct RandomRecords {
    static let shape = RecordShape(fields: ["id", "name", "notes", "properties"], maps: ["properties"])
    static let paths = [
        FieldPath("name"), FieldPath("notes"), FieldPath("properties", key: "a"), FieldPath("properties", key: "b"),
        FieldPath("properties", key: "c"),
    ]

    let source: SeededRandomSource
    private var count: Int64 = 0

    init(seed: UInt64) { source = SeededRandomSource(seed: seed) }

    func below(_ limit: Int) -> Int { Int(source.next() % UInt64(limit)) }
    func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// From few values, so that both sides often have the same.
    func value() -> JSONValue { chance(25) ? .null : .integer(Int64(below(3))) }

    func document(foreign: Bool = false) -> RecordDocument {
        var document: RecordDocument = ["id": "r"]
        for path in Self.paths { document[path] = value() }
        if foreign {
            document["x_future"] = .string("kept \(below(2))")
            document["updated_at"] = .integer(Int64(below(1000)))
        }
        return document
    }

    func patch() -> FieldPatch {
        var values: [FieldPath: JSONValue] = [:]
        for _ in 0...below(2) { values[Self.paths[below(Self.paths.count)]] = value() }
        return FieldPatch(values)
    }

    func base(revision: Int64) -> Base {
        switch below(4) {
        case 0: .nothing
        case 1: .tombstone(revision: revision)
        default: .document(document(foreign: true), revision: revision)
        }
    }

    /// Something that a person can do to what she sees.
    func change(of visible: VisibleRecord) -> OpenOperation.Change {
        guard visible.document != nil else { return .create(document()) }
        return chance(25) ? .delete : .update(patch())
    }

    mutating func operation(of visible: VisibleRecord) -> OpenOperation {
        count += 1
        return OpenOperation(change(of: visible), key: "k\(count)", position: count)
    }

    /// A record with some open operations, of which the first ones are under way.
    mutating func openRecord(length: Int) -> OpenRecord {
        var record = OpenRecord(shape: Self.shape, base: base(revision: 5))
        for _ in 0..<below(length + 1) {
            _ = record.append(operation(of: record.visible))
            let sent = record.operations.prefix { $0.isInFlight }.count
            if chance(40), sent < record.operations.count { record.operations[sent].isInFlight = true }
        }
        return record
    }
}

extension RecordDocument {
    /// The document without what the server says of it in its own fields, and without empty maps.
    var content: RecordDocument {
        var content: RecordDocument = [:]
        for path in RandomRecords.shape.paths(of: self) { content[path] = self[path] }
        return content
    }
}

/// A server with one record that compares and sets, as a value.
struct SmallServer {
    enum Outcome: Equatable {
        case accepted(Int64)
        /// `stale`, `exists` or `deleted`, with what is there.
        case differs(Base)
    }

    var base: Base = .nothing
    var head: Int64 = 0
    /// What became of the operation that a key stood for.
    var keys: [String: (change: OpenOperation.Change, revision: Int64)] = [:]

    mutating func receive(_ operation: OpenOperation, base expected: Int64) -> Outcome {
        if let known = keys[operation.key], known.change == operation.change { return .accepted(known.revision) }
        guard expected == base.revision else { return .differs(base) }
        switch (base, operation.change) {
        case (.document, .create), (.nothing, .update), (.tombstone, .update), (.tombstone, .delete):
            return .differs(base)
        default: break
        }
        head += 1
        switch base.fold([operation], RandomRecords.shape) {
        case .document(var document):
            document["updated_at"] = .integer(head)
            base = .document(document, revision: head)
        case .deleted, .absent: base = .tombstone(revision: head)
        }
        keys[operation.key] = (operation.change, head)
        return .accepted(head)
    }
}

extension OpenRecord {
    /// Sends the first operation, and takes the answer in.
    ///
    /// - Returns: The conflicts that this lists; nil where there is nothing to send.
    mutating func sendFirst(to server: inout SmallServer) -> [MergeConflict]? {
        guard let first = operations.first, !first.isParked else { return nil }
        switch server.receive(first, base: base.revision) {
        case .accepted(let revision):
            return accept(first.key, revision: revision, served: ["updated_at": .integer(revision)])
        case .differs(let theirs):
            operations[0].isInFlight = false
            let result = merging(theirs, refusing: first.key)
            self = result.record
            return result.conflicts
        }
    }

    /// Sends until there is nothing to send, or an operation does not come to an end.
    ///
    /// - Returns: The conflicts that this lists.
    mutating func sendAll(to server: inout SmallServer) -> [MergeConflict] {
        var listed: [MergeConflict] = []
        for _ in 0..<(2 * operations.count) { listed += sendFirst(to: &server) ?? [] }
        return listed
    }
}
