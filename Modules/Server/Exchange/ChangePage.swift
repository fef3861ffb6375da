import Foundation
import TrendyDomain

/// A page of what has changed after a cursor, read in the transaction of the request.
struct ChangePage {
    /// A page ends with the entry that brings it over so many bytes: 8 MiB.
    private static let byteLimit = 8 << 20

    private(set) var entries: [RevisedRecord] = []
    private(set) var cursor: SyncCursor
    private(set) var more = false
    private let limit: Int
    private var bytes = 0

    /// - Parameters:
    ///   - cursor: The place after which to read; nil to begin a snapshot.
    ///   - start: The head before the mutations of the request: what they have deleted follows a snapshot as a change.
    ///   - head: The revision of the account's latest change.
    init(
        after cursor: SyncCursor?, start: Int64, head: Int64, limit: Int, userId: String, catalog: RecordCatalog,
        in transaction: any ServerTransaction
    ) throws {
        self.limit = limit
        switch cursor {
        case .changes(let revision)?:
            self.cursor = .changes(after: revision)
            let found = try transaction.changes(
                userId: userId, after: revision, limit: limit + 1, byteLimit: Self.byteLimit)
            let taken = take(found)
            more = taken < found.count
            self.cursor = .changes(after: more ? found[taken - 1].revision : head)
        case .snapshot(let start, let type, let id)?:
            self.cursor = .changes(after: start)
            try readSnapshot(from: type, id, start: start, userId, catalog, transaction)
            more = more || start < head
        case nil:
            self.cursor = .changes(after: start)
            guard let first = catalog.schema.types.first else { return }
            try readSnapshot(from: first.entityType, nil, start: start, userId, catalog, transaction)
            more = more || start < head
        }
    }

    /// Reads records in the order of their kinds, parents first, and of their ids.
    private mutating func readSnapshot(
        from first: EntityType, _ id: String?, start: Int64, _ userId: String, _ catalog: RecordCatalog,
        _ transaction: any ServerTransaction
    ) throws {
        let types = catalog.schema.types.map { $0.entityType }
        guard let rank = types.firstIndex(of: first) else {
            throw ServerProblem.field("cursor", "names a kind that this server does not keep")
        }
        var after = id
        for type in types[rank...] {
            let found = try transaction.snapshot(
                of: type, userId: userId, after: after, limit: limit - entries.count + 1, byteLimit: Self.byteLimit)
            let taken = take(found)
            if taken < found.count {
                more = true
                let last = entries.last?.key ?? RecordKey(type, after ?? "")
                cursor = .snapshot(head: start, entityType: last.entityType, id: last.id)
                return
            }
            after = nil
        }
    }

    /// Takes as many as have room, at least one into an empty page. Answers how many.
    private mutating func take(_ found: [RevisedRecord]) -> Int {
        for (index, entry) in found.enumerated() {
            guard entries.count < limit, bytes < Self.byteLimit else { return index }
            entries.append(entry)
            bytes += entry.document?.count ?? 0
        }
        return found.count
    }
}
