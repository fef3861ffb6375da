/// The value of one property of an event; on the wire `{"type": …, "value": …}`.
public enum PropertyValue: Sendable, Hashable {
    /// Any text.
    case text(String)
    /// A number.
    case number(Double)
    /// Yes or no.
    case boolean(Bool)
    /// A day as ``day(_:)`` makes it, or a moment that another client chose.
    case date(Timestamp)
    /// One of the options of the property's definition.
    case select(String)
    /// A length of time in seconds.
    case duration(Double)
    /// An address on the web, as text.
    case url(String)
    /// An e-mail address, as text.
    case email(String)
    /// A value that this version cannot read: it is kept and sent back exactly as it came.
    case other(type: PropertyType, value: JSONValue)

    /// What the value is.
    public var type: PropertyType {
        switch self {
        case .text: .text
        case .number: .number
        case .boolean: .boolean
        case .date: .date
        case .select: .select
        case .duration: .duration
        case .url: .url
        case .email: .email
        case .other(let type, _): type
        }
    }

    /// The value as JSON, without its type.
    public var value: JSONValue {
        switch self {
        case .text(let text), .select(let text), .url(let text), .email(let text): .string(text)
        case .number(let number), .duration(let number): .number(number)
        case .boolean(let flag): .boolean(flag)
        case .date(let moment): .string(moment.description)
        case .other(_, let value): value
        }
    }

    /// Reads a JSON value as the given type; ``other(type:value:)`` where it does not fit.
    public init(type: PropertyType, value: JSONValue) {
        self = Self.typed(type, value) ?? .other(type: type, value: value)
    }

    private static func typed(_ type: PropertyType, _ value: JSONValue) -> PropertyValue? {
        switch (type, value) {
        case (.text, .string(let text)): .text(text)
        case (.select, .string(let text)): .select(text)
        case (.url, .string(let text)): .url(text)
        case (.email, .string(let text)): .email(text)
        case (.boolean, .boolean(let flag)): .boolean(flag)
        case (.number, _): value.doubleValue.map { .number($0) }
        case (.duration, _): value.doubleValue.map { .duration($0) }
        // Only the form that we write ourselves: anything else would come back changed.
        case (.date, .string(let text)): Timestamp(text).flatMap { $0.description == text ? .date($0) : nil }
        default: nil
        }
    }
}

extension PropertyValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, value
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decode(PropertyType.self, forKey: .type)
        self.init(type: type, value: try container.decodeIfPresent(JSONValue.self, forKey: .value) ?? .null)
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type, forKey: .type)
        try container.encode(value, forKey: .value)
    }
}

extension PropertyValue {
    /// Whether the text has that code point, and no blank.
    private static func isOneWord(_ text: String, with mark: Unicode.Scalar) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.contains(mark) && !scalars.contains(where: \.properties.isWhitespace)
    }

    /// Notes what is wrong with the value of the property of that name.
    func check(_ key: String, _ checks: inout FieldChecks) {
        let field = "properties.\(key)"
        switch self {
        case .text(let text), .select(let text):
            checks.requireLength(text, field, max: 10_000)
        case .url(let text):
            checks.requireLength(text, field, max: 2_000)
            checks.require(Self.isOneWord(text, with: ":"), field, "must be a URL")
        case .email(let text):
            checks.requireLength(text, field, max: 320)
            checks.require(Self.isOneWord(text, with: "@"), field, "must be an e-mail address")
        case .number(let number):
            checks.require(number.isFinite, field, "must be a finite number")
        case .duration(let seconds):
            checks.require(seconds.isFinite && seconds >= 0, field, "must be zero or more seconds")
        case .boolean, .date:
            break
        case .other(let type, let value):
            checkOther(type, value, field, &checks)
        }
    }

    private func checkOther(_ type: PropertyType, _ value: JSONValue, _ field: String, _ checks: inout FieldChecks) {
        checks.requireKeepable(.array([.string(type.rawValue), value]), field)
        if !PropertyType.known.contains(type) {
            let names = PropertyType.known.map(\.rawValue).joined(separator: ", ")
            checks.require(false, field, "has the unknown type '\(type)'; known are \(names)", code: "unknown")
        } else if case (.date, .string(let text)) = (type, value), Timestamp(text) != nil {
            return
        } else {
            checks.require(false, field, "has a value that is no \(type)")
        }
    }
}
