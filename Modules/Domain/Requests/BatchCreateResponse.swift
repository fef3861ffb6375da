/// The answer to the creation of many records at once.
public struct BatchCreateResponse<Entity: SyncEntity>: Codable, Sendable, Hashable {
    /// The records that the server has now.
    public var created: [Remote<Entity>]
    /// What failed, by place in the request.
    public var errors: [BatchError]
    /// How many were asked for.
    public var total: Int
    /// How many were made.
    public var success: Int
    /// How many failed.
    public var failed: Int

    /// Makes an answer; the total is that of both lists unless given.
    public init(created: [Remote<Entity>], errors: [BatchError] = [], total: Int? = nil) {
        self.created = created
        self.errors = errors
        self.total = total ?? created.count + errors.count
        self.success = created.count
        self.failed = errors.count
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        created = try container.decodeIfPresent([Remote<Entity>].self, forKey: .created) ?? []
        errors = try container.decodeIfPresent([BatchError].self, forKey: .errors) ?? []
        total = try container.decodeIfPresent(Int.self, forKey: .total) ?? created.count + errors.count
        success = try container.decodeIfPresent(Int.self, forKey: .success) ?? created.count
        failed = try container.decodeIfPresent(Int.self, forKey: .failed) ?? errors.count
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(created, forKey: .created)
        if !errors.isEmpty { try container.encode(errors, forKey: .errors) }
        try container.encode(total, forKey: .total)
        try container.encode(success, forKey: .success)
        try container.encode(failed, forKey: .failed)
    }

    private enum CodingKeys: String, CodingKey {
        case created, errors, total, success, failed
    }
}

/// Why one record of a batch was not made.
public struct BatchError: Codable, Sendable, Hashable {
    /// The place in the request, from 0.
    public var index: Int
    /// What is wrong with the record.
    public var message: String

    /// Says what is wrong with the record at this place of the request.
    public init(index: Int, message: String) {
        self.index = index
        self.message = message
    }
}

/// The answer to many new events.
public typealias BatchCreateEventsResponse = BatchCreateResponse<Event>
