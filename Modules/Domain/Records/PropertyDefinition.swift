/// Describes a property that the events of one type can have.
public struct PropertyDefinition: SyncEntity {
    /// The record's id, a UUID.
    public var id: String
    /// The type whose events have the property.
    public var eventTypeId: String
    /// The name under which events carry the value; unique within the type.
    public var key: String
    /// The name as a person reads it.
    public var label: String
    /// Which values the property takes.
    public var propertyType: PropertyType
    /// The choices of a `select` property.
    public var options: [String]?
    /// The value that a new event gets where none is given.
    public var defaultValue: JSONValue?
    /// The place among the type's properties, smallest first.
    public var displayOrder: Int

    /// Makes a definition of a property; what is left out is unknown or the usual.
    public init(
        id: String, eventTypeId: String, key: String, label: String, propertyType: PropertyType,
        options: [String]? = nil, defaultValue: JSONValue? = nil, displayOrder: Int = 0
    ) {
        self.id = id
        self.eventTypeId = eventTypeId
        self.key = key
        self.label = label
        self.propertyType = propertyType
        self.options = options
        self.defaultValue = defaultValue
        self.displayOrder = displayOrder
    }

    /// The kind's name on the wire.
    public static let entityType = EntityType.propertyDefinition
    /// The names of all fields on the wire.
    public static let fields = CodingKeys.allCases.map(\.stringValue)
    /// The fields that no two records have alike.
    public static let naturalKey = [CodingKeys.eventTypeId.stringValue, CodingKeys.key.stringValue]
    /// The fields that refer to other records.
    public static let parents = [
        ParentReference(field: "event_type_id", entityType: .eventType, onDelete: .cascade)
    ]

    /// The names of the fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The field `id`.
        case id
        /// The field `event_type_id`.
        case eventTypeId = "event_type_id"
        /// The fields `key` and `label`.
        case key, label
        /// The field `property_type`.
        case propertyType = "property_type"
        /// The field `options`.
        case options
        /// The field `default_value`.
        case defaultValue = "default_value"
        /// The field `display_order`.
        case displayOrder = "display_order"
    }

    /// Refuses what a person must not write, with every complaint at once.
    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireId(eventTypeId, "event_type_id")
        checks.requireText(key, "key", max: 100)
        checks.requireText(label, "label", max: 200)
        let names = PropertyType.known.map(\.rawValue).joined(separator: ", ")
        checks.require(
            PropertyType.known.contains(propertyType), "property_type", "must be one of \(names)", code: "unknown")
        checks.requireKeepable(.string(propertyType.rawValue), "property_type")
        checkOptions(&checks)
        if let defaultValue, defaultValue != .null {
            checks.requireKeepable(defaultValue, "default_value")
            if case .other = PropertyValue(type: propertyType, value: defaultValue) {
                checks.require(false, "default_value", "is no \(propertyType)")
            }
        }
        try checks.throwIfAny(for: Self.entityType)
    }

    /// Refuses what no server should send: values that nothing here could use.
    public func validateReceived() throws {
        var checks = FieldChecks()
        checks.requireNotBlank(id, "id")
        checks.requireNotBlank(eventTypeId, "event_type_id")
        checks.requireNotBlank(key, "key")
        try checks.throwIfAny(for: Self.entityType)
    }

    private func checkOptions(_ checks: inout FieldChecks) {
        let options = options ?? []
        checks.require(options.count <= 200, "options", "are more than 200", code: "too_long")
        checks.require(Set(options).count == options.count, "options", "must differ", code: "duplicate")
        for option in options { checks.requireText(option, "options", max: 200) }
        checks.require(
            propertyType != .select || !options.isEmpty, "options", "must be given for a select property",
            code: "required")
    }
}

extension PropertyDefinition {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        eventTypeId = try container.decode(String.self, forKey: .eventTypeId)
        key = try container.decode(String.self, forKey: .key)
        label = try container.decodeIfPresent(String.self, forKey: .label) ?? key
        propertyType = try container.decode(PropertyType.self, forKey: .propertyType)
        options = try container.decodeIfPresent([String].self, forKey: .options)
        defaultValue = try container.decodeIfPresent(JSONValue.self, forKey: .defaultValue)
        displayOrder = try container.decodeIfPresent(Int.self, forKey: .displayOrder) ?? 0
    }
}
