/// A change made here and another made elsewhere that could not both stand.
public struct SyncConflict: StoredDocument, Hashable {
    /// The name of the collection that the store keeps these documents in.
    public static let collection = "conflict"

    /// What collided.
    public enum Kind: String, Codable, Sendable, Hashable {
        /// Both sides changed the same value. The local one stands, and the other is kept here.
        case field
        /// It was edited here and deleted elsewhere. The edit is kept here.
        case editedHereDeletedElsewhere = "edited_here_deleted_elsewhere"
        /// It was deleted here and edited elsewhere. The edited version is kept here.
        case deletedHereEditedElsewhere = "deleted_here_edited_elsewhere"
    }

    /// Who made a value.
    public enum Side: String, Codable, Sendable, Hashable {
        /// This device.
        case here
        /// The server, or another device.
        case elsewhere
    }

    /// The document's id.
    public var id: String
    /// What the two sides did.
    public var kind: Kind
    /// The kind of the record.
    public var entityType: EntityType
    /// The record's id.
    public var entityId: String
    /// The field that both sides changed; nil where the conflict is about a whole record.
    public var field: String?
    /// The key of that field that both sides changed, where the field is a map.
    public var key: String?
    /// The value that stands here, or the local version of a record that was deleted elsewhere.
    public var localValue: JSONValue
    /// The value that lost, or the version of the other side.
    public var remoteValue: JSONValue
    /// Whose value of a field lost; nil stands for the other side, which is usual. The local value loses if the same
    /// thing was made on both sides, and the other record stands for both.
    public var losingSide: Side?
    /// Whether the server had the value that lost, and has lost it: its data was restored or reset. Nil stands for no.
    public var isLostByServer: Bool?
    /// The server's fields of the other side's version; nil if that is not a whole record.
    public var remoteServer: ServerFields?
    /// When the conflict was found, by this device's clock.
    public var detectedAt: Timestamp

    /// Makes a document of its parts.
    public init(
        id: String, kind: Kind, entityType: EntityType, entityId: String, field: String? = nil,
        key: String? = nil, localValue: JSONValue, remoteValue: JSONValue, losingSide: Side? = nil,
        isLostByServer: Bool? = nil, remoteServer: ServerFields? = nil, detectedAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.entityType = entityType
        self.entityId = entityId
        self.field = field
        self.key = key
        self.localValue = localValue
        self.remoteValue = remoteValue
        self.losingSide = losingSide
        self.isLostByServer = isLostByServer
        self.remoteServer = remoteServer
        self.detectedAt = detectedAt
    }

    /// The place of the value that both sides changed; nil where the conflict is about a whole record.
    public var place: FieldPath? { field.map { FieldPath($0, key: key) } }

    private enum CodingKeys: String, CodingKey {
        case id, kind, field, key
        case entityType = "entity_type"
        case entityId = "entity_id"
        case localValue = "local_value"
        case remoteValue = "remote_value"
        case losingSide = "losing_side"
        case isLostByServer = "lost_by_server"
        case remoteServer = "remote_server"
        case detectedAt = "detected_at"
    }
}
