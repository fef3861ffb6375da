public import Foundation
public import TrendyDomain

extension RecordService {
    /// The JSON of one record.
    public func get(_ entityType: EntityType, id: String, userId: String) throws -> Data {
        _ = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        guard let record = try store.read(userId, { try $0.records([key])[key]?.live }) else {
            throw ServerProblem.missing(entityType, id)
        }
        return WireDocument(userId: userId).of(record)
    }

    /// A JSON array of records, in the order of their kind.
    ///
    /// - Parameters:
    ///   - scope: The parent beneath which to list; it must be there.
    ///   - isActive: Only the active, or only the inactive ones.
    public func list(
        _ entityType: EntityType, userId: String, limit: Int? = nil, offset: Int = 0,
        beneath scope: ParentScope? = nil, isActive: Bool? = nil
    ) throws -> Data {
        let listing = try listing(
            entityType, userId: userId, limit: limit, offset: offset, beneath: scope, isActive: isActive)
        return try store.read(userId) { transaction in
            var (listing, json) = (listing, Data())
            while !listing.isAtEnd { json.append(try listing.next(transaction)) }
            return json
        }
    }

    /// The same array, to be read piece by piece.
    func listing(
        _ entityType: EntityType, userId: String, limit: Int?, offset: Int, beneath scope: ParentScope?, isActive: Bool?
    ) throws -> RecordListing {
        let kind = try catalog.kind(entityType)
        if let scope { _ = try Self.key(scope.parent.entityType, scope.parent.id) }
        let query = RecordQuery(
            limit: limit, offset: offset, isDescending: kind.isDescending, parent: scope, isActive: isActive)
        return RecordListing(kind, userId: userId, query)
    }

    /// Reads the next piece of a listing.
    func next(of listing: RecordListing) throws -> (piece: Data, rest: RecordListing) {
        try store.read(listing.userId) { transaction in
            var listing = listing
            return (try listing.next(transaction), listing)
        }
    }

    /// The JSON of a page of a user's change feed: the records and tombstones whose revisions are greater than the
    /// cursor, in their order.
    ///
    /// A record that was changed ten times is in it once, as it is now.
    public func changes(userId: String, since cursor: Int64, limit: Int) throws -> Data {
        let found = try store.read(userId) {
            try $0.changes(after: cursor, upTo: .max, limit: limit + 1, byteLimit: ChangePage.byteLimit)
        }
        let bytes = found.reduce(0) { $0 + ($1.document?.count ?? 0) }
        let hasMore = found.count > limit || (found.count > 1 && bytes >= ChangePage.byteLimit)
        let page = hasMore ? found.dropLast() : found[...]
        let wire = WireDocument(userId: userId)
        var json = Data(capacity: bytes + found.count * 400 + 100)
        json.append("{\"changes\":")
        JSONText.append(Array(page), to: &json) { $0.appendEntry(to: &$1, since: cursor, wire) }
        json.append(",\"has_more\":\(hasMore),\"next_cursor\":\(page.last?.revision ?? cursor)}")
        return json
    }

    /// The revision of the user's latest change; 0 where there is none.
    public func latestCursor(userId: String) throws -> Int64 {
        try store.read(userId) { try $0.history()?.head ?? 0 }
    }

    /// Where a user's history stands.
    public func head(userId: String) throws -> ServerHead {
        try store.heads(of: [userId])[userId] ?? ServerHead()
    }

    /// What the server has of a user, at one moment.
    public struct Summary: Codable, Sendable, Hashable {
        /// Numbers of records and bytes.
        public struct Amount: Codable, Sendable, Hashable {
            /// How many records; nil where that is not limited.
            public var records: Int?
            /// How many bytes the documents of these records have in the store; nil where that is not limited.
            public var bytes: Int?
        }

        /// The number of records of each kind.
        public var counts: [String: Int]
        /// What all of them take.
        public var used: Amount
        /// How much the account may keep; nil where that is not limited.
        public var quota: Amount?
        /// The id of the latest change.
        public var latestCursor: Int64
        /// "ok".
        public var status: String
        /// The server's clock.
        public var serverTime: Timestamp

        private enum CodingKeys: String, CodingKey {
            case counts, used, quota, status
            case latestCursor = "latest_cursor"
            case serverTime = "server_time"
        }
    }

    /// Says how many records a user has, and where his feed ends.
    public func summary(userId: String) throws -> Summary {
        try store.read(userId) { transaction in
            let usage = try transaction.usage()
            let counts = catalog.schema.types.map { ($0.entityType.rawValue, Int(usage[$0.entityType]?.records ?? 0)) }
            let used = usage.values.reduce(into: RecordUsage()) { $0 += $1 }
            let quota = quota.quota
            return Summary(
                counts: Dictionary(counts, uniquingKeysWith: { $1 }),
                used: Summary.Amount(records: Int(used.records), bytes: Int(used.bytes)),
                quota: quota == AccountQuota() ? nil : Summary.Amount(records: quota.records, bytes: quota.bytes),
                latestCursor: try transaction.history()?.head ?? 0, status: "ok", serverTime: clock.now())
        }
    }
}

extension StoredRecord {
    /// Adds the entry of a feed that somebody reads who has read up to that cursor.
    fileprivate func appendEntry(to json: inout Data, since cursor: Int64, _ wire: WireDocument) {
        json.append("{\"created_at\":\"\(updatedAt)\"")
        var operation = ChangeOperation.delete
        if document != nil {
            operation = createdRevision > cursor ? .create : .update
            json.append(",\"data\":")
            wire.append(self, to: &json)
        } else {
            json.append(",\"deleted_at\":\"\(updatedAt)\"")
        }
        json.append(",\"entity_id\":\(JSONText.quoted(key.id))")
        json.append(",\"entity_type\":\(JSONText.quoted(key.entityType.rawValue))")
        json.append(",\"id\":\(revision),\"operation\":\"\(operation)\"}")
    }
}
