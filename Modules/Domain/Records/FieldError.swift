/// One field that is wrong, and why.
public struct FieldError: Codable, Sendable, Hashable {
    /// The wire name of the field, with a path inside it where there is one: `properties.size`.
    public var field: String
    /// What is wrong, as part of a sentence: "must not be empty".
    public var message: String
    /// A stable word for programs: `required`, `too_long`, `out_of_range`, `invalid`, `unknown`, `duplicate`.
    public var code: String

    /// The code of a value that the server left out, though it said that the change is saved.
    public static let ignored = "not_taken"
    /// The code of a value that another record has.
    public static let duplicate = "duplicate"

    /// Makes a complaint about a field.
    public init(field: String, message: String, code: String = "invalid") {
        self.field = field
        self.message = message
        self.code = code
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        field = try container.decodeIfPresent(String.self, forKey: .field) ?? ""
        message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
        code = try container.decodeIfPresent(String.self, forKey: .code) ?? "invalid"
    }
}

extension Sequence where Element == FieldError {
    /// The complaints for people to read, each once: `name is taken (300 times)` stands for 300 records of a batch.
    public var complaints: [String] {
        var counts: [String: Int] = [:]
        var order: [String] = []
        for complaint in map({ "\($0.field) \($0.message)" }) {
            if counts.updateValue(counts[complaint, default: 0] + 1, forKey: complaint) == nil {
                order.append(complaint)
            }
        }
        return order.map { complaint in
            let count = counts[complaint, default: 1]
            return count == 1 ? complaint : "\(complaint) (\(count) times)"
        }
    }
}

/// Says that a record breaks the rules of its kind; it lists every wrong field.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of record.
    public var entityType: EntityType
    /// Each wrong field; never empty.
    public var fields: [FieldError]

    /// Makes an error of the complaints about a record of this kind.
    public init(entityType: EntityType, fields: [FieldError]) {
        self.entityType = entityType
        self.fields = fields
    }

    /// The complaints, field by field, for people to read.
    public var description: String {
        "invalid \(entityType.displayName): \(fields.complaints.joined(separator: "; "))"
    }
}
