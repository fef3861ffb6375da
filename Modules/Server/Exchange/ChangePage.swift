import Foundation
import TrendyDomain

/// A page of what has changed after a cursor, read in the transaction of the request.
struct ChangePage {
    /// Results and changes have so many bytes of documents together, and those of one more record: 8 MiB.
    static let byteLimit = 8 << 20

    private(set) var entries: [StoredRecord] = []
    /// The place behind the page.
    private(set) var end: SyncCursor.Place
    private(set) var more = false
    private let limit: Int
    private var room: Int

    /// - Parameters:
    ///   - cursor: The place after which to read; nil to begin a snapshot.
    ///   - start: The head before the mutations of the request.
    ///   - head: The revision of the account's latest change.
    ///   - made: What the request has changed, in the order of revisions.
    ///   - told: The revisions that its results tell, which are not told here too.
    ///   - used: The bytes of its results.
    init(
        after cursor: SyncCursor?, start: Int64, head: Int64, made: [RecordWrite], told: [RecordKey: Int64],
        limit: Int, used: Int, catalog: RecordCatalog, in transaction: any RecordTransaction
    ) throws {
        self.limit = limit
        room = max(Self.byteLimit - used, 0)
        switch cursor?.place {
        case .changes(let revision)?:
            end = .changes(after: revision)
            // What the request has changed is not up to the head of before any more.
            let found = try transaction.changes(after: revision, upTo: start, limit: limit + 1, byteLimit: room)
            let isAll = take(found) && take(made.map(\.record).filter { told[$0.key] != $0.revision })
            // What the results tell is passed over.
            end = .changes(after: isAll ? head : entries.last?.revision ?? revision)
        case .snapshot(let begun, let type, let position)?:
            end = .changes(after: begun)
            try readSnapshot(from: type, position, begun, head, told, catalog, transaction)
        case nil:
            end = .changes(after: start)
            guard let first = catalog.schema.types.first else { return }
            try readSnapshot(from: first.entityType, nil, start, head, told, catalog, transaction)
        }
    }

    /// Reads records in the order of their kinds, parents first, and as they are listed. What changes its place there
    /// meanwhile, and what is deleted, follows as a change.
    private mutating func readSnapshot(
        from first: EntityType, _ position: RecordPosition?, _ begun: Int64, _ head: Int64, _ told: [RecordKey: Int64],
        _ catalog: RecordCatalog, _ transaction: any RecordTransaction
    ) throws {
        let types = catalog.schema.types.map { $0.entityType }
        guard let rank = types.firstIndex(of: first) else {
            throw ServerProblem.field("cursor", "names a kind that this server does not keep")
        }
        defer { entries.removeAll { told[$0.key] == $0.revision } }
        var after = position
        for type in types[rank...] {
            let query = RecordQuery(limit: limit - entries.count + 1, after: after)
            let found = try transaction.page(of: type, query, byteLimit: room)
            let taken = entries.count
            guard take(found.map(\.record)) else {
                if entries.count > taken {
                    let (last, order) = found[entries.count - taken - 1]
                    after = RecordPosition(order: order, id: last.key.id)
                }
                end = .snapshot(
                    head: begun, entityType: type, after: after ?? RecordPosition(order: .min, id: ""))
                return
            }
            after = nil
        }
        more = begun < head
    }

    /// Takes as many as have room. Answers whether these are all.
    private mutating func take(_ found: [StoredRecord]) -> Bool {
        for entry in found {
            guard entries.count < limit, room > 0 else {
                more = true
                return false
            }
            entries.append(entry)
            room -= entry.document?.count ?? 0
        }
        return true
    }
}
