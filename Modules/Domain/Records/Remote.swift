/// A record as a server sends it: the record's own fields and those that the server adds.
@dynamicMemberLookup
public struct Remote<Entity: SyncEntity>: Sendable, Hashable, Identifiable {
    /// The record itself.
    public var entity: Entity
    /// What the server says about it.
    public var server: ServerFields

    public init(_ entity: Entity, server: ServerFields = ServerFields()) {
        self.entity = entity
        self.server = server
    }

    public var id: String { entity.id }

    public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Entity, Value>) -> Value {
        get { entity[keyPath: keyPath] }
        set { entity[keyPath: keyPath] = newValue }
    }

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

    public init(userId: String? = nil, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil) {
        self.userId = userId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case userId = "user_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

extension Remote: Codable {
    public init(from decoder: any Decoder) throws {
        entity = try Entity(from: decoder)
        server = try ServerFields(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try entity.encode(to: encoder)
        try server.encode(to: encoder)
    }
}

public typealias APIEvent = Remote<Event>
public typealias APIEventType = Remote<EventType>
public typealias APIGeofence = Remote<Geofence>
public typealias APIPropertyDefinition = Remote<PropertyDefinition>
