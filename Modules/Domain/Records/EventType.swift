/// A kind of event that a person logs: "coffee", "run", "headache".
public struct EventType: SyncEntity {
    public var id: String
    /// The name; unique among the types of one person.
    public var name: String
    /// The colour as `#RRGGBB`.
    public var color: String
    /// The name of an icon, or an emoji.
    public var icon: String

    public init(id: String, name: String, color: String = Self.defaultColor, icon: String = Self.defaultIcon) {
        self.id = id
        self.name = name
        self.color = color
        self.icon = icon
    }

    /// The colour of a type for which none was chosen.
    public static let defaultColor = "#3B82F6"
    /// The icon of a type for which none was chosen.
    public static let defaultIcon = "circle.fill"

    public static let entityType = EntityType.eventType
    public static let fields = CodingKeys.allCases.map(\.stringValue)
    public static let naturalKey = [CodingKeys.name.stringValue]

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, color, icon
    }

    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireText(name, "name", max: 100)
        checks.requireColor(color, "color")
        checks.requireLength(icon, "icon", max: 100)
        try checks.throwIfAny(for: Self.entityType)
    }

    public func validateReceived() throws {
        var checks = FieldChecks()
        checks.requireNotBlank(id, "id")
        checks.requireNotBlank(name, "name")
        checks.requireColor(color, "color")
        try checks.throwIfAny(for: Self.entityType)
    }
}

extension EventType {
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
