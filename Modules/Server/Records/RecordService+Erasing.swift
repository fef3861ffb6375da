import Foundation
import TrendyDomain

extension RecordService {
    /// How many records or keys are erased in one transaction.
    private static let erasureLimit = 1_000
    /// How many bytes of documents are read for that.
    private static let erasureBytes = 8 << 20

    /// Gives a user's history another name.
    ///
    /// - Parameter isForAll: Whether every device must take all anew. Otherwise a device goes on whose cursor proves that
    ///   it knows nothing but this history.
    func prepareRenewal(of userId: String, isForAll: Bool = true) -> PreparedWrite<Void> {
        PreparedWrite(store: store, userId: userId, live: live, run: run) { transaction in
            guard try transaction.history() != nil else { return ((), nil) }
            let writer = try makeWriter(transaction, of: userId)
            writer.renewHistory()
            if isForAll { try writer.forgetRuns() }
            try writer.save()
            return ((), writer.history)
        }
    }

    /// Removes everything of a user in bounded pieces; nothing is left that tells of it.
    func prepareErasure(of userId: String) -> PreparedWrite<Void> {
        var write = PreparedWrite<Void>(store: store, userId: userId, live: live) { transaction in
            while try erasePiece(transaction) {}
            if try transaction.history() != nil { try transaction.eraseHistory() }
            return ((), nil)
        }
        write.piece = { try erasePiece($0) }
        return write
    }

    /// Removes some of what a user has: children before their parents, tombstones after the records, then the keys.
    /// Answers whether anything was left.
    private func erasePiece(_ transaction: any RecordTransaction) throws -> Bool {
        guard try transaction.history() != nil else { return false }
        for type in catalog.schema.types.reversed() {
            let page = try transaction.page(
                of: type.entityType, RecordQuery(limit: Self.erasureLimit), byteLimit: Self.erasureBytes)
            if !page.isEmpty { return try erase(page.map(\.record), transaction) }
        }
        let rest = try transaction.changes(
            after: 0, upTo: .max, limit: Self.erasureLimit, byteLimit: Self.erasureBytes)
        if !rest.isEmpty { return try erase(rest, transaction) }
        return try transaction.deleteOutcomes(
            before: Timestamp(milliseconds: .max), limit: Self.erasureLimit) > 0
    }

    private func erase(_ records: [StoredRecord], _ transaction: any RecordTransaction) throws -> Bool {
        var growth: [EntityType: RecordUsage] = [:]
        let writes = records.map { record in
            growth[record.key.entityType, default: RecordUsage()] += RecordUsage() - RecordUsage(record.document)
            // A kind that is not served any more has its references removed with their parents.
            let codec = try? catalog.kind(record.key.entityType).codec
            return RecordWrite(
                record: record, former: record.document.flatMap { try? codec?.references(in: $0) } ?? [])
        }
        try transaction.add(growth.filter { $0.value != RecordUsage() })
        return try transaction.erase(writes) > 0
    }
}
