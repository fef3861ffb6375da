/// The names under which an engine remembers things in the store.
public enum MetadataKey {
    /// How far the exchange with the server has come.
    public static let exchange = "exchange"
    /// Since when the server refuses the route for the exchange.
    public static let exchangeAbsence = "exchange_absence"
    /// The circuit breaker of a client that does not tell its server's name.
    public static let breaker = "breaker"
    /// The circuit breaker for the server of that name; nil for ``breaker``.
    public static func breaker(of server: String?) -> String { server.map { "\(breaker):\($0)" } ?? breaker }
    /// What is known of the server's clock.
    public static let serverClock = "server_clock"
    /// The backoff after lost connections.
    public static let connectionBackoff = "connection_backoff"
    /// Whose records the store holds.
    public static let owner = "app.account"
    /// The lease: who is syncing.
    public static let lease = "lease"
    /// When all records were compared with the server's the last time, and what came of it.
    public static let lastComparison = "last_comparison"
    /// The id of the last sync in the history.
    static let lastHistoryEntry = "last_history_entry"
    /// When the last sync ended well.
    public static let lastSync = "last_sync"
}
