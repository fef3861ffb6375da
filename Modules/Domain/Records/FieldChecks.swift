/// Collects what is wrong with a record, so that a person hears all of it at once.
public struct FieldChecks: Sendable {
    /// What was found so far.
    public private(set) var errors: [FieldError] = []

    /// Makes a list of complaints that is empty.
    public init() {}

    /// Notes an error where the condition does not hold.
    public mutating func require(
        _ condition: Bool, _ field: String, _ message: @autoclosure () -> String, code: String = "invalid"
    ) {
        if !condition { errors.append(FieldError(field: field, message: message(), code: code)) }
    }

    /// The text is not blank and no longer than the limit, in code points.
    public mutating func requireText(_ text: String, _ field: String, max limit: Int) {
        requireNotBlank(text, field)
        let isSeen = text.unicodeScalars.contains {
            !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
        }
        // What is only white space is told already.
        require(
            isSeen || text.unicodeScalars.allSatisfy(\.properties.isWhitespace), field,
            "must have a character that can be seen", code: "required")
        requireLength(text, field, max: limit)
    }

    /// The text has something to see in it.
    public mutating func requireNotBlank(_ text: String, _ field: String) {
        require(
            !text.unicodeScalars.allSatisfy(\.properties.isWhitespace), field, "must not be empty", code: "required")
    }

    /// No text in the value has U+0000.
    ///
    /// PostgreSQL keeps none, and no server of the protocol takes it.
    public mutating func requireKeepable(_ value: JSONValue, _ field: String) {
        require(!value.hasNullCharacter, field, "has the character U+0000, which cannot be kept; take it out")
    }

    /// The text, where there is one, is one that every store can keep, and no longer than the limit, in code points, as
    /// JSON Schema counts lengths.
    public mutating func requireLength(_ text: String?, _ field: String, max limit: Int) {
        guard let text else { return }
        requireKeepable(.string(text), field)
        guard text.utf8.count > limit else { return }
        let length = text.unicodeScalars.count
        require(
            length <= limit, field, "is \(length) characters long; at most \(limit) are allowed", code: "too_long")
    }

    /// The number, where there is one, is finite and within the range.
    public mutating func requireRange(_ value: Double?, _ field: String, _ range: ClosedRange<Double>) {
        guard let value else { return }
        require(
            value.isFinite && range.contains(value), field,
            "must be from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))", code: "out_of_range")
    }

    /// The code of the complaint that an id is of another form.
    static let invalidId = "invalid_uuid"

    /// The id is a UUID of version 7.
    public mutating func requireId(_ id: String?, _ field: String) {
        guard let id else { return }
        require(UUIDv7(id) != nil, field, "must be a UUID of version 7", code: Self.invalidId)
    }

    /// Throws all errors at once; returns where there are none.
    public func throwIfAny(for entityType: EntityType) throws(ValidationError) {
        if !errors.isEmpty { throw ValidationError(entityType: entityType, fields: errors) }
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }
}

extension JSONValue {
    fileprivate var hasNullCharacter: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let values): values.contains(where: \.hasNullCharacter)
        case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasNullCharacter }
        default: false
        }
    }
}
