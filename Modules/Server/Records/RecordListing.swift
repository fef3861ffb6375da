import Foundation
import TrendyDomain

/// A listing that is read and sent piece by piece, so that it is never held as a whole.
///
/// It has as many records as were asked for, however large they are: clients of the older routes take a page that is
/// shorter than they asked for to be the last one. A record that is made or moved while the listing is sent may be in it or
/// not, as if each piece had been asked for by itself; all others are in it once.
struct RecordListing: Sendable {
    /// A piece has so many bytes of documents, and those of one more record: 1 MiB.
    static let byteLimit = 1 << 20

    let kind: RecordKind
    let userId: String
    /// What is left to be listed.
    private(set) var query: RecordQuery
    /// Whether a piece was read.
    private var hasBegun = false
    /// Whether everything was read.
    private(set) var isAtEnd = false

    init(_ kind: RecordKind, userId: String, _ query: RecordQuery) {
        self.kind = kind
        self.userId = userId
        self.query = query
    }

    /// The next piece of the JSON array, which is whole with the last one.
    mutating func next(_ transaction: any RecordTransaction) throws -> Data {
        if let parent = query.parent?.parent, try transaction.records([parent])[parent]?.live == nil {
            // What was beneath it went with it.
            guard hasBegun else { throw ServerProblem.missing(parent.entityType, parent.id) }
            return finish([])
        }
        let found = try transaction.page(of: kind.entityType, query, byteLimit: Self.byteLimit)
        let bytes = found.reduce(0) { $0 + ($1.record.document?.count ?? 0) }
        query.limit = query.limit.map { $0 - found.count }
        query.offset = 0
        if let (last, order) = found.last { query.after = RecordPosition(order: order, id: last.key.id) }
        guard bytes >= Self.byteLimit, query.limit != 0 else { return finish(found.map(\.record)) }
        defer { hasBegun = true }
        return piece(found.map(\.record))
    }

    private mutating func finish(_ records: [StoredRecord]) -> Data {
        isAtEnd = true
        return piece(records) + Data("]".utf8)
    }

    private func piece(_ records: [StoredRecord]) -> Data {
        let wire = WireDocument(userId: userId)
        var json = Data(capacity: records.reduce(2) { $0 + ($1.document?.count ?? 0) + 160 })
        if !hasBegun { json.append("[") }
        for (place, record) in records.enumerated() {
            if hasBegun || place > 0 { json.append(",") }
            wire.append(record, to: &json)
        }
        return json
    }
}
