/// Any JSON value, for what is carried without being understood: patches, unknown changes, defaults.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without fraction that fits 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Values by their names, in no order.
    case object([String: JSONValue])

    /// The text of a string, nil for anything else.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number as a floating-point value, nil for anything else.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The members of an object, nil for anything else.
    public var objectValue: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONValue {
    /// The value as it is read back from its JSON: what is whole and fits 64 bits is an integer.
    var normalized: JSONValue {
        switch self {
        case .null, .boolean, .integer, .string: self
        case .number(let number): Self.normalized(number)
        case .array(let elements): isNormalized ? self : .array(elements.map(\.normalized))
        case .object(let members): isNormalized ? self : .object(members.mapValues(\.normalized))
        }
    }

    private var isNormalized: Bool {
        switch self {
        case .null, .boolean, .integer, .string: true
        case .number(let number): number.rounded() != number
        case .array(let elements): elements.allSatisfy(\.isNormalized)
        case .object(let members): members.values.allSatisfy(\.isNormalized)
        }
    }

    /// Whether JSON can hold each of its numbers.
    var isFinite: Bool {
        switch self {
        case .null, .boolean, .integer, .string: true
        case .number(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let members): members.values.allSatisfy(\.isFinite)
        }
    }

    private static func normalized(_ number: Double) -> JSONValue {
        if number.magnitude < 0x1p53 { return Int64(exactly: number).map { .integer($0) } ?? .number(number) }
        // Its shortest text names one of the whole numbers that have this floating-point value.
        return number.magnitude < 0x1p64
            ? JSONReader.number(in: number.description) ?? .number(number) : .number(number)
    }
}

extension JSONValue: Codable {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        // What records hold most of comes first: each try that fails makes an error, which takes longer than the value.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let members = try? decoder.container(keyedBy: MemberName.self) {
            self = .object(try Self.object(members))
        } else if let whole = try? container.decode(Int64.self) {
            self = .integer(whole)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    private static func object(_ members: KeyedDecodingContainer<MemberName>) throws -> [String: JSONValue] {
        var object: [String: JSONValue] = [:]
        for name in members.allKeys { object[name.stringValue] = try members.decode(JSONValue.self, forKey: name) }
        return object
    }

    /// The name of any member of an object.
    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let whole): try container.encode(whole)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Makes a list of values.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Makes an object; of a name that stands twice, the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}
