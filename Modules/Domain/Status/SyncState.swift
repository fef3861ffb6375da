/// What a sync engine is doing, for a person to see.
public enum SyncState: Sendable, Hashable {
    /// Nothing is under way.
    case idle
    /// Sending local changes: how many of how many were accepted.
    case syncing(synced: Int, total: Int)
    /// Receiving the server's changes.
    case pulling
    /// The server asked for a pause of this many seconds, and this many changes wait.
    case rateLimited(retryAfter: Double, pending: Int)
    /// The last cycle ended early, for this reason.
    case error(String)

    /// The state in one stable word: `idle`, `syncing`, `pulling`, `rate_limited`, `error`.
    public var name: String {
        switch self {
        case .idle: "idle"
        case .syncing: "syncing"
        case .pulling: "pulling"
        case .rateLimited: "rate_limited"
        case .error: "error"
        }
    }
}
