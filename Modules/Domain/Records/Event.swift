/// Something that a person logged.
public struct Event: SyncEntity {
    /// The record's id, a UUID.
    public var id: String
    /// The type of the event.
    public var eventTypeId: String
    /// When it happened, or began.
    public var timestamp: Timestamp
    /// What the person noted.
    public var notes: String?
    /// Whether the event has a day and no time of day.
    public var isAllDay: Bool
    /// When it ended, for what has a length.
    public var endDate: Timestamp?
    /// Where the event came from.
    public var sourceType: SourceType
    /// The name of the event where it was imported from; equal ones are the same event.
    public var externalId: String?
    /// The title that it had where it was imported from.
    public var originalTitle: String?
    /// The place whose entry or exit logged it.
    public var geofenceId: String?
    /// Degrees north, −90 to 90.
    public var locationLatitude: Double?
    /// Degrees east, −180 to 180.
    public var locationLongitude: Double?
    /// What the place is called.
    public var locationName: String?
    /// The sample in HealthKit that it stands for; servers keep one event a sample.
    public var healthKitSampleId: String?
    /// The category of the HealthKit sample that it came from.
    public var healthKitCategory: String?
    /// Values by the key of their definition.
    public var properties: [String: PropertyValue]

    /// Makes an event; what is left out is unknown.
    public init(
        id: String, eventTypeId: String, timestamp: Timestamp, notes: String? = nil, isAllDay: Bool = false,
        endDate: Timestamp? = nil, sourceType: SourceType = .manual, externalId: String? = nil,
        originalTitle: String? = nil, geofenceId: String? = nil, locationLatitude: Double? = nil,
        locationLongitude: Double? = nil, locationName: String? = nil, healthKitSampleId: String? = nil,
        healthKitCategory: String? = nil, properties: [String: PropertyValue] = [:]
    ) {
        self.id = id
        self.eventTypeId = eventTypeId
        self.timestamp = timestamp
        self.notes = notes
        self.isAllDay = isAllDay
        self.endDate = endDate
        self.sourceType = sourceType
        self.externalId = externalId
        self.originalTitle = originalTitle
        self.geofenceId = geofenceId
        self.locationLatitude = locationLatitude
        self.locationLongitude = locationLongitude
        self.locationName = locationName
        self.healthKitSampleId = healthKitSampleId
        self.healthKitCategory = healthKitCategory
        self.properties = properties
    }

    /// The kind's name on the wire.
    public static let entityType = EntityType.event
    /// The names of all fields on the wire.
    public static let fields = CodingKeys.allCases.map(\.stringValue)
    /// The fields that refer to other records.
    public static let parents = [
        ParentReference(field: "event_type_id", entityType: .eventType, onDelete: .cascade),
        ParentReference(field: "geofence_id", entityType: .geofence, onDelete: .clear),
    ]

    /// The names of the fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The field `id`.
        case id
        /// The field `event_type_id`.
        case eventTypeId = "event_type_id"
        /// The fields `timestamp` and `notes`.
        case timestamp, notes
        /// The field `is_all_day`.
        case isAllDay = "is_all_day"
        /// The field `end_date`.
        case endDate = "end_date"
        /// The field `source_type`.
        case sourceType = "source_type"
        /// The field `external_id`.
        case externalId = "external_id"
        /// The field `original_title`.
        case originalTitle = "original_title"
        /// The field `geofence_id`.
        case geofenceId = "geofence_id"
        /// The field `location_latitude`.
        case locationLatitude = "location_latitude"
        /// The field `location_longitude`.
        case locationLongitude = "location_longitude"
        /// The field `location_name`.
        case locationName = "location_name"
        /// The field `healthkit_sample_id`.
        case healthKitSampleId = "healthkit_sample_id"
        /// The field `healthkit_category`.
        case healthKitCategory = "healthkit_category"
        /// The field `properties`.
        case properties
    }
}

extension Event {
    /// The properties: each is changed by itself.
    public static let mapFields = [CodingKeys.properties.stringValue]
    /// The keys of the properties name the property definitions of the event's type.
    public static let mapKeys = [
        MapKeyReference(
            field: CodingKeys.properties.stringValue, entityType: .propertyDefinition,
            keyField: PropertyDefinition.CodingKeys.key.stringValue,
            parentField: PropertyDefinition.CodingKeys.eventTypeId.stringValue)
    ]
    /// The sample in HealthKit that it stands for.
    public static let recognitionKey = [CodingKeys.healthKitSampleId.stringValue]
}

extension Event {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        eventTypeId = try container.decode(String.self, forKey: .eventTypeId)
        timestamp = try container.decode(Timestamp.self, forKey: .timestamp)
        notes = try container.decodeIfPresent(String.self, forKey: .notes)
        isAllDay = try container.decodeIfPresent(Bool.self, forKey: .isAllDay) ?? false
        endDate = try container.decodeIfPresent(Timestamp.self, forKey: .endDate)
        sourceType = try container.decodeIfPresent(SourceType.self, forKey: .sourceType) ?? .manual
        externalId = try container.decodeIfPresent(String.self, forKey: .externalId)
        originalTitle = try container.decodeIfPresent(String.self, forKey: .originalTitle)
        geofenceId = try container.decodeIfPresent(String.self, forKey: .geofenceId)
        locationLatitude = try container.decodeIfPresent(Double.self, forKey: .locationLatitude)
        locationLongitude = try container.decodeIfPresent(Double.self, forKey: .locationLongitude)
        locationName = try container.decodeIfPresent(String.self, forKey: .locationName)
        healthKitSampleId = try container.decodeIfPresent(String.self, forKey: .healthKitSampleId)
        healthKitCategory = try container.decodeIfPresent(String.self, forKey: .healthKitCategory)
        properties = try container.decodeIfPresent([String: PropertyValue].self, forKey: .properties) ?? [:]
    }
}
