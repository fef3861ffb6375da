/// A change from the feed, or a listed record, that could not be understood: kept raw until it can be.
public struct QuarantinedChange: StoredDocument {
    public static let collection = "quarantine"

    public var id: String
    /// The entry as it came.
    public var entry: ChangeEntry
    /// Why it could not be applied.
    public var reason: String
    public var receivedAt: Timestamp

    public init(id: String, entry: ChangeEntry, reason: String, receivedAt: Timestamp) {
        self.id = id
        self.entry = entry
        self.reason = reason
        self.receivedAt = receivedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, entry, reason
        case receivedAt = "received_at"
    }
}
