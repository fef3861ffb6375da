public import Foundation
public import TrendyDomain

extension RecordService {
    /// The JSON of one record.
    public func get(_ entityType: EntityType, id: String, userId: String) throws -> Data {
        _ = try catalog.kind(entityType)
        let key = try Self.key(entityType, id)
        return try store.read { transaction in
            guard let record = try transaction.record(key), record.userId == userId else {
                throw ServerProblem.missing(entityType, id)
            }
            return record.document
        }
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
        let kind = try catalog.kind(entityType)
        if let scope { _ = try Self.key(scope.parent.entityType, scope.parent.id) }
        let query = RecordQuery(
            limit: limit, offset: offset, isDescending: kind.isDescending, parent: scope?.reference,
            isActive: isActive)
        let found = try store.read { transaction in
            if let scope, try transaction.owner(of: scope.parent) != userId {
                throw ServerProblem.missing(scope.parent.entityType, scope.parent.id)
            }
            return try documents(of: entityType, userId: userId, query, transaction)
        }
        return JSONText.array(found)
    }

    /// The records of a page, found by the bookmark of the page before where there is one.
    private func documents(
        of entityType: EntityType, userId: String, _ query: RecordQuery, _ transaction: any ServerTransaction
    ) throws -> [Data] {
        guard let limit = query.limit else {
            return try transaction.page(of: entityType, userId: userId, query).documents
        }
        var place = PageBookmarks.Place(
            userId: userId, entityType: entityType, parent: query.parent, isActive: query.isActive,
            offset: query.offset)
        let cursor = try transaction.latestCursor(userId: userId)
        var query = query
        if query.offset > 0, let position = bookmarks.position(before: place, at: cursor) {
            query.after = position
            query.offset = 0
        }
        let page = try transaction.page(of: entityType, userId: userId, query)
        if page.documents.count == limit, let end = page.end {
            place.offset += limit
            bookmarks.remember(end, before: place, at: cursor)
        }
        return page.documents
    }

    /// What the server has of a user, at one moment.
    public struct Summary: Codable, Sendable, Hashable {
        /// The number of records of each kind.
        public var counts: [String: Int]
        /// The id of the latest change.
        public var latestCursor: Int64
        /// "ok".
        public var status: String
        /// The server's clock.
        public var serverTime: Timestamp

        private enum CodingKeys: String, CodingKey {
            case counts, status
            case latestCursor = "latest_cursor"
            case serverTime = "server_time"
        }
    }

    /// Counts a user's records and says where his feed ends.
    public func summary(userId: String) throws -> Summary {
        try store.read { transaction in
            let found = try transaction.counts(userId: userId)
            let counts = catalog.schema.types.map { ($0.entityType.rawValue, found[$0.entityType] ?? 0) }
            return Summary(
                counts: Dictionary(counts, uniquingKeysWith: { $1 }),
                latestCursor: try transaction.latestCursor(userId: userId), status: "ok", serverTime: clock.now())
        }
    }
}
