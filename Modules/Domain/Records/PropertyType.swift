/// What a property holds.
///
/// It is open, so that a kind of property from a newer server is carried along; ``known`` lists the
/// ones that can be written here.
public struct PropertyType: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let text = PropertyType(rawValue: "text")
    public static let number = PropertyType(rawValue: "number")
    public static let boolean = PropertyType(rawValue: "boolean")
    public static let date = PropertyType(rawValue: "date")
    public static let select = PropertyType(rawValue: "select")
    public static let duration = PropertyType(rawValue: "duration")
    public static let url = PropertyType(rawValue: "url")
    public static let email = PropertyType(rawValue: "email")

    /// The kinds of property that the contract names.
    public static let known: [PropertyType] = [.text, .number, .boolean, .date, .select, .duration, .url, .email]
}
