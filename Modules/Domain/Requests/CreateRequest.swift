/// Asks a server to make a record; on the wire just the record's fields.
public struct CreateRequest<Entity: SyncEntity>: Codable, Sendable, Hashable {
    /// The record to make, with the id that the device gave it.
    public var entity: Entity

    /// Makes a request for a new record.
    public init(_ entity: Entity) {
        self.entity = entity
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        entity = try Entity(from: decoder)
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        try entity.encode(to: encoder)
    }
}

/// A request for a new event.
public typealias CreateEventRequest = CreateRequest<Event>
/// A request for a new event type.
public typealias CreateEventTypeRequest = CreateRequest<EventType>
/// A request for a new geofence.
public typealias CreateGeofenceRequest = CreateRequest<Geofence>
/// A request for a new property definition.
public typealias CreatePropertyDefinitionRequest = CreateRequest<PropertyDefinition>
