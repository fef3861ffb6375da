/// Where a mutation stands.
public enum MutationState: Sendable, Hashable {
    /// It waits to be sent. Later local changes may join it.
    case queued
    /// A request with it has left, or may have. It is sent again under its key until a result settles it.
    case sending
    /// The server has taken it.
    case accepted
    /// Another mutation carries its effect, or the server has it already.
    case merged(into: Int64?)
    /// It cannot be accepted as it is. It waits for the person, and its record stays.
    case parked(ParkReason)
    /// The person gave it up.
    case dropped

    /// The name without details, as it is stored and shown.
    public enum Name: String, Codable, Sendable, Hashable, CaseIterable {
        /// The states that ``MutationState`` describes.
        case queued, sending, accepted, merged, parked, dropped
    }

    /// The state's name, without its details.
    public var name: Name {
        switch self {
        case .queued: .queued
        case .sending: .sending
        case .accepted: .accepted
        case .merged: .merged
        case .parked: .parked
        case .dropped: .dropped
        }
    }

    /// Whether it is queued or sending.
    public var isUnsent: Bool { self == .queued || self == .sending }
}

/// Why a mutation is parked.
public struct ParkReason: Codable, Sendable, Hashable {
    /// What kind of refusal it was.
    public enum Code: String, Codable, Sendable, Hashable, CaseIterable {
        /// The server refused its content.
        case rejected
        /// The server has another record in its place.
        case duplicate
        /// The record was deleted elsewhere.
        case deletedElsewhere = "deleted_elsewhere"
        /// It needs a parent that the server does not have.
        case blocked
        /// It waits for an earlier change of its record that is parked.
        case waiting
        /// The server had accepted it and has lost it since: its data was restored from a backup, or reset.
        case lostByServer = "lost_by_server"
        /// It deletes a record that was deleted here before it was sent, and that the server has all the same: another device
        /// may have made the record too.
        case madeElsewhere = "made_elsewhere"
        /// The server failed on it in several cycles, while it was well otherwise.
        case blamed
        /// The person cleared the outbox.
        case cleared
        /// The mutation cannot be read, or is of a kind that is not known here.
        case unreadable
    }

    /// What kind of refusal it was.
    public var code: Code
    /// What the server said, or what happened.
    public var message: String
    /// The server's complaints field by field.
    public var fields: [FieldError]
    /// Whether a request with the mutation has not been answered, so that it may have taken effect.
    public var isUnanswered: Bool
    /// The answer that led to it; nil where ``message`` has the server's own words, or it has said nothing.
    public var answer: ServerAnswer?

    /// Makes a reason of its parts.
    public init(
        code: Code, message: String, fields: [FieldError] = [], isUnanswered: Bool = false,
        answer: ServerAnswer? = nil
    ) {
        self.code = code
        self.message = message
        self.fields = fields
        self.isUnanswered = isUnanswered
        self.answer = answer
    }

    private enum CodingKeys: String, CodingKey {
        case code, message, fields, answer
        case isUnanswered = "is_unanswered"
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
        fields = try container.decode([FieldError].self, forKey: .fields)
        isUnanswered = try container.decodeIfPresent(Bool.self, forKey: .isUnanswered) ?? false
        answer = try container.decodeIfPresent(ServerAnswer.self, forKey: .answer)
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encode(fields, forKey: .fields)
        if isUnanswered { try container.encode(isUnanswered, forKey: .isUnanswered) }
        try container.encodeIfPresent(answer, forKey: .answer)
    }
}

extension MutationState: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, into, reason
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Name.self, forKey: .name) {
        case .queued: self = .queued
        case .sending: self = .sending
        case .accepted: self = .accepted
        case .merged: self = .merged(into: try container.decodeIfPresent(Int64.self, forKey: .into))
        case .parked: self = .parked(try container.decode(ParkReason.self, forKey: .reason))
        case .dropped: self = .dropped
        }
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        if case .merged(let id) = self { try container.encodeIfPresent(id, forKey: .into) }
        if case .parked(let reason) = self { try container.encode(reason, forKey: .reason) }
    }
}
