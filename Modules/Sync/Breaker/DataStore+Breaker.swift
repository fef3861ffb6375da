import TrendyDomain

extension DataStoreProtocol {
    /// The breaker for a server.
    ///
    /// Each server with a name has its own breaker. A client that does not tell its server's name uses the one
    /// without a name, which holds for all servers.
    func breaker(for server: String?) throws -> CircuitBreaker {
        if server != nil, let own = try value(CircuitBreaker.self, for: MetadataKey.breaker(of: server)) { return own }
        return try value(CircuitBreaker.self, for: MetadataKey.breaker) ?? CircuitBreaker()
    }

    /// Changes the breaker for a server, and stores it if that makes a difference.
    ///
    /// - Returns: What it is then, and whether it was changed.
    func changeBreaker(
        for server: String?, _ transform: (inout CircuitBreaker) -> Void
    ) throws -> (breaker: CircuitBreaker, isNew: Bool) {
        let before = try breaker(for: server)
        var after = before
        transform(&after)
        if after != before { try setValue(after, for: MetadataKey.breaker(of: server)) }
        return (after, after != before)
    }

    /// Closes the breaker for a server.
    func resetBreaker(for server: String?) throws {
        try setMetadata(MetadataKey.breaker(of: server), nil)
        try setMetadata(MetadataKey.breaker, nil)
    }
}
