public import TrendyDomain

extension SyncEngine {
    /// Sends a request outside a sync under the rules of the circuit breaker.
    ///
    /// While the breaker is open it sends nothing. A refusal for too many requests counts, and a success is
    /// remembered, as in a sync.
    ///
    /// - Parameters:
    ///   - server: The name of the server that the request goes to, if that is not the server of the engine's client,
    ///     as in a sign-in.
    ///   - provesHealth: False if a success says nothing of the server's load, because limiters let such requests
    ///     through: health checks, questions about the account. It leaves the breaker as it is.
    /// - Throws: ``APIError/rateLimited(retryAfter:)`` while the breaker is open; what the request throws;
    ///   ``StoreError``.
    public func underBreaker<Answer: Sendable>(
        of server: String? = nil, provesHealth: Bool = true, _ request: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await underBreaker(of: server, provesHealth: provesHealth, isStream: false, request)
    }

    /// As ``underBreaker(of:provesHealth:_:)``, for a stream: neither that it begins nor that it breaks says anything of
    /// the server's load. It begins by itself, so it comes as late after a pause as an automatic sync.
    func openStream<Answer: Sendable>(_ request: @Sendable () async throws -> Answer) async throws -> Answer {
        try await underBreaker(of: nil, provesHealth: false, isStream: true, request)
    }

    private func underBreaker<Answer: Sendable>(
        of server: String?, provesHealth: Bool, isStream: Bool, _ request: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let server = server ?? networkClient.serverName
        let now = wallClock.now()
        if !isStream { try changeBreaker(of: server) { $0.settlePause(at: now) } }
        let breaker = try stores.makeDataStore().breaker(for: server)
        let automatic = isStream ? breaker.pending(at: now)?.seconds(since: now) : nil
        if let pause = automatic ?? breaker.remaining(at: now) { throw APIError.rateLimited(retryAfter: pause) }
        do {
            let answer = try await request()
            if provesHealth { try changeBreaker(of: server) { $0.succeeded(at: self.wallClock.now()) } }
            return answer
        } catch APIError.rateLimited(let retryAfter) {
            let share = random.fraction()
            try changeBreaker(of: server) {
                $0.refused(retryAfter: retryAfter, at: self.wallClock.now(), spread: share)
            }
            throw APIError.rateLimited(retryAfter: retryAfter)
        } catch let error as APIError where error.endsRowOfRefusals && !isStream {
            try changeBreaker(of: server) { $0.failedOtherwise() }
            throw error
        }
    }

    /// The moment before which no automatic sync should begin: the end of the breaker's pause or of the backoff after
    /// lost connections, whichever is later; nil if one may begin now.
    ///
    /// - Throws: ``StoreError``.
    public nonisolated func nextAttemptTime() throws -> Timestamp? {
        try nextAttempt(in: stores.makeDataStore())
    }

    /// - Parameter isReached: Whether the server was heard after the connection was lost. Then the backoff is over, unless
    ///   the server has asked for it.
    nonisolated func nextAttempt(in store: any DataStoreProtocol, isReached: Bool = false) throws -> Timestamp? {
        let now = wallClock.now()
        let breaker = try store.breaker(for: networkClient.serverName)
        let pause = breaker.pending(at: now)
        let backoff = try store.value(ConnectionBackoff.self, for: MetadataKey.connectionBackoff)?
            .pending(at: now, isReached: isReached)
        return [pause, backoff].compactMap { $0 }.max()
    }

    /// Counts a cycle that could not reach the server, or in which the server took nothing; resets the count after
    /// any other.
    func noteConnection(_ report: SyncReport, in store: any DataStoreProtocol) throws {
        if let failure = report.failure {
            // An answer of the server shows that it can be reached again.
            if failure.isAnswer { return try store.setMetadata(MetadataKey.connectionBackoff, nil) }
            guard failure.isConnectionFailure else { return }
        } else if report.failing == 0 || report.pushed > 0 {
            return try store.setMetadata(MetadataKey.connectionBackoff, nil)
        }
        var backoff =
            try store.value(ConnectionBackoff.self, for: MetadataKey.connectionBackoff) ?? ConnectionBackoff()
        backoff.failed(at: wallClock.now(), random: random, asked: report.retryAfter ?? 0)
        try store.setValue(backoff, for: MetadataKey.connectionBackoff)
    }

    private func changeBreaker(of server: String?, _ transform: (inout CircuitBreaker) -> Void) throws {
        let store = try stores.makeDataStore()
        try store.begin()
        if try store.changeBreaker(for: server, transform).isNew { try store.save() }
    }
}

extension APIError {
    /// Whether it ends a row of refusals: it is neither a refusal for too many requests, nor about the sign-in or the
    /// caller.
    fileprivate var endsRowOfRefusals: Bool {
        switch withoutDoubt {
        case .rateLimited, .unauthorized, .cancelled: false
        case .notSent, .connection, .timeout, .untrusted, .notAServer, .malformedResponse, .answerTooLarge, .http,
            .inDoubt:
            true
        }
    }
}
