import TrendyDomain

/// A record as an export holds it: the fields of its kind, and what the server and the device have added.
struct ExportedRecord<Entity: SyncEntity>: Decodable {
    /// The record; nil for an event without an id or the id of its type, as a person writes one.
    let entity: Entity?
    /// Whose record it was, where a server had it.
    let owner: String?
    /// The names of fields that the kind does not have.
    let unknownFields: [String]

    /// Fields that are in exports and not in records. The type's name is for readers: its id says the same.
    private static var added: Set<String> {
        [
            "user_id", "created_at", "updated_at", "sync_status", "revision", "created_revision", "entity_type",
            "event_type",
        ]
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let names = container.allKeys.map(\.stringValue)
        let known = Set(Entity.fields).union(Self.added)
        unknownFields = names.filter { !known.contains($0) }
        owner = try container.decodeIfPresent(String.self, forKey: AnyKey(stringValue: "user_id"))
        let isDraft = Entity.self == Event.self && !(names.contains("id") && names.contains("event_type_id"))
        entity = try isDraft ? nil : Entity(from: decoder)
    }
}

/// Any name of a member.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
