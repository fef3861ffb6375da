import TrendyDomain

extension DataStoreProtocol {
    /// The breaker as it stands for a server: a closed one where the store remembers that of another server.
    ///
    /// - Parameter server: Its name; nil for any. It is asked for only where something is remembered.
    func breaker(for server: @autoclosure () -> String?) throws -> CircuitBreaker {
        guard let stored = try value(CircuitBreaker.self, for: MetadataKey.breaker) else { return CircuitBreaker() }
        guard let known = stored.server, let server = server(), known != server else { return stored }
        return CircuitBreaker()
    }

    /// Changes the breaker of a server, where that makes a difference.
    ///
    /// - Returns: What it is then, and whether it was changed.
    func changeBreaker(
        for server: @autoclosure () -> String?, _ transform: (inout CircuitBreaker) -> Void
    ) throws -> (breaker: CircuitBreaker, isNew: Bool) {
        let before = try breaker(for: server())
        var after = before
        transform(&after)
        if after == before { return (before, false) }
        after.concern(server() ?? before.server)
        try setValue(after, for: MetadataKey.breaker)
        return (after, true)
    }
}
