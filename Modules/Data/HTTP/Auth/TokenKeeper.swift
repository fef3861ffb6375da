import TrendyDomain

/// Has the token to send, and renews it once when the server rejects it, however many callers ask.
actor TokenKeeper {
    /// Asks the server for new credentials with the refresh token of the old.
    typealias Renewal = @Sendable (Credentials) async throws -> Credentials

    private struct Flight {
        let rejected: Secret
        var waiters: [Int: CheckedContinuation<Result<Credentials, any Error>, Never>] = [:]
        var left: Set<Int> = []
    }

    private let server: ServerAddress
    private let store: any CredentialStore
    private let renew: Renewal
    private let clock: any Clock<Duration>
    private let executor: (any TaskExecutor)?
    private var flight: Flight?
    private var nextWaiter = 0
    /// New credentials that could not be saved, with the token that they stand for.
    private var unsaved: (replaced: Secret, credentials: Credentials)?

    /// - Parameter executor: Runs a renewal, which outlives the request that needed it: a token that was spent and
    ///   not replaced would end the sign-in.
    init(
        server: ServerAddress, store: any CredentialStore, clock: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil, renew: @escaping Renewal
    ) {
        self.server = server
        self.store = store
        self.clock = clock
        self.executor = executor
        self.renew = renew
    }

    /// The credentials to send.
    func current() throws -> Credentials {
        guard let credentials = try load() else {
            throw APIError.unauthorized("nobody is signed in")
        }
        guard credentials.server == server else {
            throw APIError.unauthorized("the sign-in is for \(credentials.server), not for \(server)")
        }
        return credentials
    }

    /// New credentials in place of those that the server rejected.
    ///
    /// Callers who ask at the same time share one renewal. If another process has renewed the credentials already,
    /// the server is not asked.
    func replacement(for rejected: Secret) async throws -> Credentials {
        let present = try current()
        if present.accessToken != rejected { return present }
        if flight == nil {
            flight = Flight(rejected: rejected)
            Task(executorPreference: executor) { await self.fly(rejected) }
        }
        nextWaiter += 1
        let id = nextWaiter
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(id, $0) }
        } onCancel: {
            Task(executorPreference: executor) { await self.leave(id) }
        }
        return try result.get()
    }

    private func load() throws -> Credentials? {
        let stored: Credentials?
        do {
            stored = try store.load()
        } catch {
            throw APIError.unauthorized("\(error)")
        }
        if let unsaved, unsaved.replaced == stored?.accessToken { return unsaved.credentials }
        return stored
    }

    // MARK: One renewal for all

    private func wait(_ id: Int, _ continuation: CheckedContinuation<Result<Credentials, any Error>, Never>) {
        if flight?.left.remove(id) != nil {
            continuation.resume(returning: .failure(APIError.cancelled))
        } else {
            flight?.waiters[id] = continuation
        }
    }

    private func leave(_ id: Int) {
        if let waiter = flight?.waiters.removeValue(forKey: id) {
            waiter.resume(returning: .failure(APIError.cancelled))
        } else {
            flight?.left.insert(id)
        }
    }

    private func fly(_ rejected: Secret) async {
        let result: Result<Credentials, any Error>
        do {
            result = .success(try await renewed(rejected))
        } catch {
            result = .failure(error)
        }
        let landed = flight
        flight = nil
        for waiter in (landed?.waiters ?? [:]).values { waiter.resume(returning: result) }
    }

    // MARK: The renewal

    private func renewed(_ rejected: Secret) async throws -> Credentials {
        let lock = try await lockAgainstOthers(rejected)
        defer { withExtendedLifetime(lock) {} }
        let present = try current()
        if present.accessToken != rejected { return present }
        let fresh = try await renew(present)
        do {
            try store.save(fresh)
            unsaved = nil
        } catch {
            unsaved = (rejected, fresh)
        }
        return fresh
    }

    /// Waits for another process that renews the same credentials, until it is done or takes too long.
    private func lockAgainstOthers(_ rejected: Secret) async throws -> (any CredentialLock)? {
        for _ in 0..<Self.lockAttempts {
            do {
                if let lock = try store.lockForRenewal() { return lock }
            } catch {
                // A store that cannot lock, because its folder cannot be written, can still have a token that works.
                return nil
            }
            try await clock.sleep(for: Self.lockPause)
            if try current().accessToken != rejected { return nil }
        }
        return nil
    }

    /// Together 30 s, the longest that a request of the other process can take.
    private static let lockAttempts = 600
    private static let lockPause = Duration.milliseconds(50)
}
