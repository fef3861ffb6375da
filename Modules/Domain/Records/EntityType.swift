/// The name of a kind of record, as feeds and queues carry it.
///
/// It is open: a kind that this version does not know is kept, not refused.
public struct EntityType: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The name on the wire.
    public let rawValue: String

    /// Makes a kind of its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a kind of its name.
    public init(stringLiteral value: String) { self.rawValue = value }

    /// The name on the wire.
    public var description: String { rawValue }

    /// The name as a person reads it: "event type".
    public var displayName: String {
        String(rawValue.map { $0 == "_" ? " " : $0 })
    }

    /// Trendy's events.
    public static let event: EntityType = "event"
    /// Trendy's types of events.
    public static let eventType: EntityType = "event_type"
    /// Trendy's places that are watched.
    public static let geofence: EntityType = "geofence"
    /// Trendy's properties that events of a type can have.
    public static let propertyDefinition: EntityType = "property_definition"
}

/// The seeds' name for ``EntityType`` where it stands in a mutation.
public typealias MutationEntityType = EntityType
