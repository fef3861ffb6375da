/// A kind of event that a person logs: "coffee", "run", "headache".
public struct EventType: SyncEntity {
    /// The record's id, a UUID.
    public var id: String
    /// The name; unique among the types of one person.
    public var name: String
    /// The colour as `#RRGGBB`.
    public var color: String
    /// The name of an icon, or an emoji.
    public var icon: String

    /// Makes an event type; colour and icon are the usual ones unless given.
    public init(id: String, name: String, color: String = Self.defaultColor, icon: String = Self.defaultIcon) {
        self.id = id
        self.name = name
        self.color = color
        self.icon = icon
    }

    /// The colour of a type for which none was chosen.
    public static let defaultColor = "#3B82F6"
    /// The colours that apps give types for which none was chosen, so that types differ on light and dark backgrounds, and for
    /// colour-blind people.
    ///
    /// Most come from the palette of Okabe and Ito ("Color Universal Design", 2008), without black and yellow, which are
    /// invisible on dark and light backgrounds. The blue is the default of the API.
    public static let suggestedColors = [
        defaultColor, "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#7C3AED", "#8A8A00",
    ]
    /// The icon of a type for which none was chosen.
    public static let defaultIcon = "circle.fill"

    /// The kind's name on the wire.
    public static let entityType = EntityType.eventType
    /// The names of all fields on the wire.
    public static let fields = CodingKeys.allCases.map(\.stringValue)
    /// The fields that no two records have alike.
    public static let naturalKey = [CodingKeys.name.stringValue]

    /// A colour of ``suggestedColors``, and the usual icon.
    public static func isSuggested(_ value: JSONValue, for field: String) -> Bool {
        switch CodingKeys(stringValue: field) {
        case .color: suggestedColors.contains { value == .string($0) }
        case .icon: value == .string(defaultIcon)
        case .id, .name, nil: false
        }
    }

    /// The names of the fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The fields `id`, `name`, `color` and `icon`.
        case id, name, color, icon
    }

    /// Refuses what a person must not write, with every complaint at once.
    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireText(name, "name", max: 100)
        checks.requireColor(color, "color")
        checks.requireLength(icon, "icon", max: 100)
        try checks.throwIfAny(for: Self.entityType)
    }

    /// Refuses what no server should send: values that nothing here could use.
    public func validateReceived() throws {
        var checks = FieldChecks()
        checks.requireNotBlank(id, "id")
        checks.requireNotBlank(name, "name")
        checks.requireColor(color, "color")
        try checks.throwIfAny(for: Self.entityType)
    }
}

extension EventType {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        color = try container.decodeIfPresent(String.self, forKey: .color) ?? Self.defaultColor
        icon = try container.decodeIfPresent(String.self, forKey: .icon) ?? Self.defaultIcon
    }
}

extension FieldChecks {
    fileprivate mutating func requireColor(_ text: String, _ field: String) {
        let isColor = text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy(\.isHexDigit)
        require(isColor, field, "must look like #RRGGBB")
    }
}
