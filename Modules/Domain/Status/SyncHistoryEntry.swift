/// One past sync.
public struct SyncHistoryEntry: StoredDocument, Hashable {
    /// The name of the collection that the store keeps these documents in.
    public static let collection = "history"

    /// Sorts in the order of time.
    public var id: String
    /// When the sync began, by this device's clock.
    public var startedAt: Timestamp
    /// When the sync ended, by this device's clock.
    public var finishedAt: Timestamp
    /// How many changes the server took.
    public var pushed: Int
    /// How many changes were received.
    public var pulled: Int
    /// Whether all records were fetched anew.
    public var bootstrapped: Bool
    /// Why it ended early, nil where it did not.
    public var failure: SyncReport.Failure?
    /// What the sync failed with, where it did.
    public var error: String?

    /// Makes a document of its parts.
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
