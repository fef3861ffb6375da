public import TrendyDomain

/// What an operator sees of an account.
public struct AccountSummary: Codable, Sendable, Hashable {
    /// The account's id.
    public var id: String
    /// The account's address.
    public var email: String
    /// When the account was made.
    public var createdAt: Timestamp
    /// How many records it has, without what is left of deleted ones.
    public var records: Int64
    /// How many bytes its records have, as the store keeps them.
    public var bytes: Int64
    /// When it was changed last, or tokens were given out last; nil where neither ever happened.
    ///
    /// A device that only reads is seen when its access token is renewed: once an hour.
    public var lastUsedAt: Timestamp?
    /// On how many devices somebody is signed in.
    public var sessions: Int

    private enum CodingKeys: String, CodingKey {
        case id, email, records, bytes, sessions
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
    }
}

/// All that an operator sees of an account.
public struct AccountDetails: Codable, Sendable, Hashable {
    /// What a list of accounts has of it.
    public var summary: AccountSummary
    /// The number of records of each kind.
    public var counts: [String: Int64]
    /// The name of its history, and the revision of its latest change.
    public var head: ServerHead
    /// The revision of the latest deletion that is not kept any more; 0 where all are.
    public var horizon: Int64
    /// The devices on which somebody is signed in.
    public var sessions: [SessionSummary]

    private enum CodingKeys: String, CodingKey {
        case counts, horizon, epoch, head, devices
    }

    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        summary = try AccountSummary(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        counts = try container.decode([String: Int64].self, forKey: .counts)
        head = ServerHead(
            epoch: try container.decodeIfPresent(String.self, forKey: .epoch),
            head: try container.decode(Int64.self, forKey: .head))
        horizon = try container.decode(Int64.self, forKey: .horizon)
        sessions = try container.decode([SessionSummary].self, forKey: .devices)
    }

    /// Writes the summary's members and these beside each other; `sessions` is a number, and `devices` the list.
    public func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(counts, forKey: .counts)
        try container.encode(head.epoch, forKey: .epoch)
        try container.encode(head.head, forKey: .head)
        try container.encode(horizon, forKey: .horizon)
        try container.encode(sessions, forKey: .devices)
    }

    init(
        _ summary: AccountSummary, counts: [String: Int64], head: ServerHead, horizon: Int64,
        sessions: [SessionSummary]
    ) {
        self.summary = summary
        self.counts = counts
        self.head = head
        self.horizon = horizon
        self.sessions = sessions
    }
}

/// A sign-in on a device, as its owner and an operator see it.
public struct SessionSummary: Codable, Sendable, Hashable {
    /// What it is ended by.
    public var id: String
    /// What the device calls itself; nil where it does not.
    public var device: String?
    /// When somebody signed in.
    public var createdAt: Timestamp
    /// When tokens were given out last: once an hour while it is used.
    public var usedAt: Timestamp
    /// When it ends unless it is used.
    public var expiresAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, device
        case createdAt = "created_at"
        case usedAt = "used_at"
        case expiresAt = "expires_at"
    }

    init(_ session: StoredSession) {
        id = session.id
        device = session.device
        createdAt = session.createdAt
        usedAt = session.usedAt
        expiresAt = session.expiresAt
    }
}
