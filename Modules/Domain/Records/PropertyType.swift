/// What a property holds.
///
/// It is open, so that a kind of property from a newer server is carried along; ``known`` lists the
/// ones that can be written here.
public struct PropertyType: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a type of its name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name on the wire.
    public var description: String { rawValue }

    /// Any text.
    public static let text = PropertyType(rawValue: "text")
    /// A number.
    public static let number = PropertyType(rawValue: "number")
    /// Yes or no.
    public static let boolean = PropertyType(rawValue: "boolean")
    /// A day of the calendar.
    public static let date = PropertyType(rawValue: "date")
    /// One of the definition's options.
    public static let select = PropertyType(rawValue: "select")
    /// A length of time, in seconds.
    public static let duration = PropertyType(rawValue: "duration")
    /// An address on the web.
    public static let url = PropertyType(rawValue: "url")
    /// An e-mail address.
    public static let email = PropertyType(rawValue: "email")

    /// The kinds of property that the contract names.
    public static let known: [PropertyType] = [.text, .number, .boolean, .date, .select, .duration, .url, .email]
}
