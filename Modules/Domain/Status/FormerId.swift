/// The id that a record had before it went on under another one.
///
/// An app may have stored the former id: for a timer, say. ``PresentIds`` turns it into the present one.
public struct FormerId: StoredDocument, Hashable {
    /// The name of the collection that the store keeps these documents in.
    public static let collection = "former_id"

    /// The document's id: the kind and the former id.
    public let id: String
    /// The kind of the record.
    public let entityType: EntityType
    /// The id that the record had.
    public let formerId: String
    /// The id that took its place.
    public let presentId: String
    /// Whether another device had made the same record under that id.
    public let isMerged: Bool
    /// When the id changed, by this device's clock.
    public let since: Timestamp

    /// Says under which id a record goes on.
    public init(_ former: RecordKey, presentId: String, isMerged: Bool, since: Timestamp) {
        id = Self.id(of: former)
        entityType = former.entityType
        formerId = former.id
        self.presentId = presentId
        self.isMerged = isMerged
        self.since = since
    }

    /// The id of the document about a record.
    public static func id(of former: RecordKey) -> String { "\(former.entityType)-\(former.id)" }

    private enum CodingKeys: String, CodingKey {
        case id, since
        case entityType = "entity_type"
        case formerId = "former_id"
        case presentId = "present_id"
        case isMerged = "is_merged"
    }
}
