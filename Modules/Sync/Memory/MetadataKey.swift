/// The names under which an engine remembers things in the store.
public enum MetadataKey {
    /// How far the feed is applied; absent before the first bootstrap.
    public static let cursor = "cursor"
    /// The newest changes that were applied.
    public static let feedWindow = "feed_window"
    /// What of the feed was passed over while creates waited of which it may tell.
    static let passedStretch = "passed_stretch"
    /// The circuit breaker of a client that does not tell its server's name.
    public static let breaker = "breaker"
    /// The circuit breaker for the server of that name; nil for ``breaker``.
    public static func breaker(of server: String?) -> String { server.map { "\(breaker):\($0)" } ?? breaker }
    /// How often in a row the server could not be reached, and when to try again by oneself.
    public static let connectionBackoff = "connection_backoff"
    /// How far a bootstrap has come.
    public static let bootstrap = "bootstrap"
    /// How much a page is asked to have, by what it is a page of, where that is less than usual.
    public static let pageSizes = "page_sizes"
    /// Set while a full resync is needed: to "asked" where somebody asked for it, and the device could do without; to
    /// "owed" where it is needed, and waits until it is asked for or the server's feed is seen to be whole.
    public static let fullResync = "full_resync"
    /// Set while a new record waits that others may have as well: what they say is heard before it is sent. Since when.
    static let pullFirst = "pull_first"
    /// Whose records the store holds.
    public static let owner = "app.account"
    /// Who is syncing.
    public static let lease = "lease"
    /// When the last sync ended well.
    public static let lastSync = "last_sync"
    /// How the last sync ended.
    public static let lastOutcome = "last_outcome"
}
