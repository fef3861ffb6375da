/// A place: a circle on the map; entering or leaving it can log an event.
public struct Geofence: SyncEntity {
    /// The record's id, a UUID.
    public var id: String
    /// What the person calls the place; unique among the places of one person.
    public var name: String
    /// Degrees north, −90 to 90.
    public var latitude: Double
    /// Degrees east, −180 to 180.
    public var longitude: Double
    /// Metres, 50 to 10,000.
    public var radius: Double
    /// The event type to log on entering.
    public var eventTypeEntryId: String?
    /// The event type to log on leaving.
    public var eventTypeExitId: String?
    /// Whether it is watched.
    public var isActive: Bool
    /// Whether the person is told on entering.
    public var notifyOnEntry: Bool
    /// Whether the person is told on leaving.
    public var notifyOnExit: Bool
    /// The name under which iOS watches the region.
    public var iosRegionIdentifier: String?

    /// Makes a geofence; what is left out is unknown or the usual.
    public init(
        id: String, name: String, latitude: Double, longitude: Double, radius: Double = Self.defaultRadius,
        eventTypeEntryId: String? = nil, eventTypeExitId: String? = nil, isActive: Bool = true,
        notifyOnEntry: Bool = false, notifyOnExit: Bool = false, iosRegionIdentifier: String? = nil
    ) {
        self.id = id
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.eventTypeEntryId = eventTypeEntryId
        self.eventTypeExitId = eventTypeExitId
        self.isActive = isActive
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
        self.iosRegionIdentifier = iosRegionIdentifier
    }

    /// The radius, in metres, of a place for which none was chosen.
    public static let defaultRadius = 100.0

    /// The kind's name on the wire.
    public static let entityType = EntityType.geofence
    /// The names of all fields on the wire.
    public static let fields = CodingKeys.allCases.map(\.stringValue)
    /// The fields that no two records have alike.
    public static let naturalKey = [CodingKeys.name.stringValue]
    /// The fields that refer to other records.
    public static let parents = [
        ParentReference(field: "event_type_entry_id", entityType: .eventType, onDelete: .clear),
        ParentReference(field: "event_type_exit_id", entityType: .eventType, onDelete: .clear),
    ]

    /// The names of the fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The fields `id`, `name`, `latitude`, `longitude` and `radius`.
        case id, name, latitude, longitude, radius
        /// The field `event_type_entry_id`.
        case eventTypeEntryId = "event_type_entry_id"
        /// The field `event_type_exit_id`.
        case eventTypeExitId = "event_type_exit_id"
        /// The field `is_active`.
        case isActive = "is_active"
        /// The field `notify_on_entry`.
        case notifyOnEntry = "notify_on_entry"
        /// The field `notify_on_exit`.
        case notifyOnExit = "notify_on_exit"
        /// The field `ios_region_identifier`.
        case iosRegionIdentifier = "ios_region_identifier"
    }

    /// Refuses what a person must not write, with every complaint at once.
    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireText(name, "name", max: 200)
        checks.requireRange(latitude, "latitude", -90...90)
        checks.requireRange(longitude, "longitude", -180...180)
        checks.requireRange(radius, "radius", 50...10_000)
        checks.requireId(eventTypeEntryId, "event_type_entry_id")
        checks.requireId(eventTypeExitId, "event_type_exit_id")
        checks.requireLength(iosRegionIdentifier, "ios_region_identifier", max: 200)
        try checks.throwIfAny(for: Self.entityType)
    }

    /// Refuses what no server should send: values that nothing here could use.
    public func validateReceived() throws {
        var checks = FieldChecks()
        checks.requireNotBlank(id, "id")
        checks.requireNotBlank(name, "name")
        checks.requireRange(latitude, "latitude", -90...90)
        checks.requireRange(longitude, "longitude", -180...180)
        checks.require(radius > 0, "radius", "must be more than 0", code: "out_of_range")
        try checks.throwIfAny(for: Self.entityType)
    }
}

extension Geofence {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        latitude = try container.decode(Double.self, forKey: .latitude)
        longitude = try container.decode(Double.self, forKey: .longitude)
        radius = try container.decodeIfPresent(Double.self, forKey: .radius) ?? Self.defaultRadius
        eventTypeEntryId = try container.decodeIfPresent(String.self, forKey: .eventTypeEntryId)
        eventTypeExitId = try container.decodeIfPresent(String.self, forKey: .eventTypeExitId)
        isActive = try container.decodeIfPresent(Bool.self, forKey: .isActive) ?? true
        notifyOnEntry = try container.decodeIfPresent(Bool.self, forKey: .notifyOnEntry) ?? false
        notifyOnExit = try container.decodeIfPresent(Bool.self, forKey: .notifyOnExit) ?? false
        iosRegionIdentifier = try container.decodeIfPresent(String.self, forKey: .iosRegionIdentifier)
    }
}
