/// Where an account's history stands on a server: what a device compares with its own place to know whether to sync.
public struct ServerHead: Codable, Sendable, Hashable {
    /// The name of the history; nil where nothing has happened in the account.
    public var epoch: String?
    /// The revision of the account's latest change; 0 where there is none.
    public var head: Int64

    /// Makes it of its parts.
    public init(epoch: String? = nil, head: Int64 = 0) {
        self.epoch = epoch
        self.head = head
    }

    /// Whether it tells of something that another one does not: of another history, or of a later change.
    public func isNews(after other: ServerHead) -> Bool { epoch != other.epoch || head > other.head }

    private enum CodingKeys: String, CodingKey { case epoch, head }

    /// Writes the epoch also where there is none, as null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(epoch, forKey: .epoch)
        try container.encode(head, forKey: .head)
    }
}
