import TrendyDomain

/// A version of a record, or the end of one, as the server's feed and its bookkeeping have it.
struct LoggedVersion {
    var entry: ChangeEntry
    var revision: Int64
    /// The effect that made it; its place among all that the server did.
    var effect: Int
    /// Whether it appeared behind the newest entry of its time.
    var isLate = false

    /// The place in the feed.
    var id: Int64 { entry.id }
    var entityType: EntityType { entry.entityType }
    var entityId: String { entry.entityId }
    var operation: ChangeOperation { entry.operation }
    /// The record; nil where it was deleted.
    var fields: Fields? { entry.data?.objectValue }
}
