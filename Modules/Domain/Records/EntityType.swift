/// The name of a kind of record, as feeds and queues carry it.
///
/// It is open: a kind that this version does not know is kept, not refused.
public struct EntityType: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }

    public var description: String { rawValue }

    /// The name as a person reads it: "event type".
    public var displayName: String {
        String(rawValue.map { $0 == "_" ? " " : $0 })
    }

    public static let event: EntityType = "event"
    public static let eventType: EntityType = "event_type"
    public static let geofence: EntityType = "geofence"
    public static let propertyDefinition: EntityType = "property_definition"
}

/// The seeds' name for ``EntityType`` where it stands in a mutation.
public typealias MutationEntityType = EntityType
