/// One past sync.
public struct SyncHistoryEntry: StoredDocument, Hashable {
    public static let collection = "history"

    /// Sorts in the order of time.
    public var id: String
    public var startedAt: Timestamp
    public var finishedAt: Timestamp
    public var pushed: Int
    public var pulled: Int
    public var bootstrapped: Bool
    /// Why it ended early, nil where it did not.
    public var failure: SyncReport.Failure?
    public var error: String?

    public init(
        id: String, startedAt: Timestamp, finishedAt: Timestamp, pushed: Int, pulled: Int, bootstrapped: Bool,
        failure: SyncReport.Failure?, error: String?
    ) {
        self.id = id
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.pushed = pushed
        self.pulled = pulled
        self.bootstrapped = bootstrapped
        self.failure = failure
        self.error = error
    }

    private enum CodingKeys: String, CodingKey {
        case id, pushed, pulled, bootstrapped, failure, error
        case startedAt = "started_at"
        case finishedAt = "finished_at"
    }
}
