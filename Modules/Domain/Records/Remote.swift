/// A record as a server sends it: the record's own fields and those that the server adds.
@dynamicMemberLookup
public struct Remote<Entity: SyncEntity>: Sendable, Hashable, Identifiable {
    /// The record itself.
    public var entity: Entity
    /// What the server says about it.
    public var server: ServerFields

    /// Puts a record together with what the server says of it.
    public init(_ entity: Entity, server: ServerFields = ServerFields()) {
        self.entity = entity
        self.server = server
    }

    /// The record's id.
    public var id: String { entity.id }

    /// The record's own fields, without a detour over ``entity``.
    public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Entity, Value>) -> Value {
        get { entity[keyPath: keyPath] }
        set { entity[keyPath: keyPath] = newValue }
    }

    /// What the server says of the record, without a detour over ``server``.
    public subscript<Value>(dynamicMember keyPath: KeyPath<ServerFields, Value>) -> Value {
        server[keyPath: keyPath]
    }
}

/// The fields that every server adds to every record.
public struct ServerFields: Codable, Sendable, Hashable {
    /// Whose record it is.
    public var userId: String?
    /// When the server made it.
    public var createdAt: Timestamp?
    /// When the server last changed it.
    public var updatedAt: Timestamp?

    /// Makes them of what is known.
    public init(userId: String? = nil, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil) {
        self.userId = userId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The names on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The field `user_id`.
        case userId = "user_id"
        /// The field `created_at`.
        case createdAt = "created_at"
        /// The field `updated_at`.
        case updatedAt = "updated_at"
    }
}

extension Remote: Codable {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        entity = try Entity(from: decoder)
        server = try ServerFields(from: decoder)
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        try entity.encode(to: encoder)
        try server.encode(to: encoder)
    }
}

/// An event as the server sends it.
public typealias APIEvent = Remote<Event>
/// An event type as the server sends it.
public typealias APIEventType = Remote<EventType>
/// A geofence as the server sends it.
public typealias APIGeofence = Remote<Geofence>
/// A property definition as the server sends it.
public typealias APIPropertyDefinition = Remote<PropertyDefinition>
