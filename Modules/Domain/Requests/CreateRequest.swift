/// Asks a server to make a record; on the wire just the record's fields.
public struct CreateRequest<Entity: SyncEntity>: Codable, Sendable, Hashable {
    /// The record to make, with the id that the device gave it.
    public var entity: Entity

    public init(_ entity: Entity) {
        self.entity = entity
    }

    public init(from decoder: any Decoder) throws {
        entity = try Entity(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try entity.encode(to: encoder)
    }
}

public typealias CreateEventRequest = CreateRequest<Event>
public typealias CreateEventTypeRequest = CreateRequest<EventType>
public typealias CreateGeofenceRequest = CreateRequest<Geofence>
public typealias CreatePropertyDefinitionRequest = CreateRequest<PropertyDefinition>
