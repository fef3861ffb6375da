/// A received change that this version cannot use, kept raw until one can.
public struct QuarantinedChange: StoredDocument {
    /// The name of the collection that the store keeps these documents in.
    public static let collection = "quarantine"

    /// The document's id.
    public var id: String
    /// The entry as it came.
    public var entry: ChangeEntry
    /// The revision with which the record was made; nil if it is not known.
    public var createdRevision: Int64?
    /// Why it could not be applied.
    public var reason: String
    /// When it came, by this device's clock.
    public var receivedAt: Timestamp

    /// Makes a document of its parts.
    public init(
        id: String, entry: ChangeEntry, createdRevision: Int64? = nil, reason: String, receivedAt: Timestamp
    ) {
        self.id = id
        self.entry = entry
        self.createdRevision = createdRevision
        self.reason = reason
        self.receivedAt = receivedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, entry, reason
        case createdRevision = "created_revision"
        case receivedAt = "received_at"
    }
}
