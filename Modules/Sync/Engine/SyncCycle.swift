import Foundation
import TrendyDomain

/// What the parts of one cycle share: what they work with, and what they have done so far.
///
/// It stays within the engine's isolation and ends with the cycle.
final class SyncCycle {
    let networkClient: any NetworkClientProtocol
    let stores: any DataStoreFactory
    let schema: EntitySchema
    let configuration: SyncConfiguration
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let identifiers: any IdentifierGenerator
    let random: any RandomSource
    let lease: SyncLease
    /// Is told what the cycle does, how many records and deletions have come so far, and of each request.
    let progress: StateBroadcaster

    let startedAt: Timestamp
    private(set) var breaker: CircuitBreaker
    var pushed = 0
    var pulled = 0
    /// How many of them a resync has brought.
    var placed = 0
    var bootstrapped = false
    /// The mutations that have made requests fail in this cycle.
    var suspects: [Suspect] = []
    /// What the server said where it failed on a mutation.
    var failures: [Int64: String] = [:]
    /// For how many seconds a failing server asked to be left alone; the longest of its wishes.
    private(set) var askedToWait: Double?
    /// Whether the server has more than one cycle takes.
    var hasMore = false

    init(
        networkClient: any NetworkClientProtocol, stores: any DataStoreFactory, schema: EntitySchema,
        configuration: SyncConfiguration, wallClock: any WallClock, clock: any Clock<Duration>,
        identifiers: any IdentifierGenerator, random: any RandomSource, lease: SyncLease, breaker: CircuitBreaker,
        progress: StateBroadcaster
    ) {
        self.networkClient = networkClient
        self.stores = stores
        self.schema = schema
        self.configuration = configuration
        self.wallClock = wallClock
        startedAt = wallClock.now()
        self.clock = clock
        self.identifiers = identifiers
        self.random = random
        self.lease = lease
        self.breaker = breaker
        self.progress = progress
    }

    /// Adds to the count of what has come, and tells it.
    func noteReceived(_ count: Int) {
        received += count
        progress.noteReceived(received)
    }

    private var received = 0

    // MARK: Store

    /// Does a piece of work on the store and commits it, with the lease renewed in the same save.
    ///
    /// - Parameter isRepeatable: Whether the work can be done again, if the power fails: it only receives.
    func write<Result>(
        isRepeatable: Bool = false, _ body: (any DataStoreProtocol) throws -> Result
    ) throws -> Result {
        let store = try stores.makeDataStore()
        if isRepeatable { try store.beginRepeatable() } else { try store.begin() }
        try lease.renew(in: store)
        let result = try body(store)
        try store.save()
        return result
    }

    func read<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        try body(try stores.makeDataStore())
    }

    // MARK: Requests

    /// Receives changes alone, unless the breaker forbids it. See ``send(provesHealth:_:)``.
    func receive(_ request: SyncRequest, by gateway: any SyncGateway) async throws -> Result<SyncResponse, Refusal> {
        try await send(provesHealth: \.provesHealth) { try await gateway.exchange(request) }
            .map(\.response)
    }

    /// Sends one request without mutations, unless the breaker forbids it.
    ///
    /// - Parameter mayBeTooMuch: See ``send(_:mayBeTooMuch:provesHealth:meanwhile:_:)``.
    /// - Returns: The answer, or a refusal that concerns what was asked and not the connection.
    /// - Throws: ``CycleStop`` where no further request makes sense.
    func send<Answer: Sendable>(
        mayBeTooMuch: Bool = false, provesHealth: (Answer) -> Bool,
        _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Result<Answer, Refusal> {
        do {
            return try await send([], mayBeTooMuch: mayBeTooMuch, provesHealth: provesHealth, request)
        } catch let failure as FailedRequest { throw failure.reason }
    }

    /// Sends one request, unless the breaker forbids it.
    ///
    /// - Parameters:
    ///   - keys: The keys of the mutations that it carries.
    ///   - mayBeTooMuch: Whether a smaller request is possible. Then a broken connection, a missing answer, and one
    ///     that no server of this protocol gives count as a refusal.
    ///   - provesHealth: Whether an answer shows that the server answers at all, which closes the breaker.
    ///   - work: What is done while the request is on its way, and also if the request may not be sent; it is told
    ///     which of both. If it fails, the request is cancelled. The pause that an answer asks for is kept even then.
    /// - Returns: The answer, or a refusal that concerns what was asked and not the connection.
    /// - Throws: ``FailedRequest`` where no further request makes sense, or what the work throws.
    func send<Answer: Sendable>(
        _ keys: Set<String>, mayBeTooMuch: Bool, provesHealth: (Answer) -> Bool,
        meanwhile work: ((_ isSent: Bool) throws -> Void)? = nil,
        _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Result<Answer, Refusal> {
        do { try admit() } catch {
            try work?(false)
            throw FailedRequest(reason: error, untouched: keys)
        }
        let (answer, failure) = await outcome(of: request, besides: work)
        if let failure {
            if case .failure(let error as APIError) = answer, case .rateLimited(let wait) = error.withoutDoubt {
                try? noteRefusal(wait)
            }
            throw failure
        }
        switch answer {
        case .failure(let error): return .failure(try refusal(from: error, keys, mayBeTooMuch))
        case .success(let answer):
            let now = wallClock.now()
            if provesHealth(answer) { try change { $0.succeeded(at: now) } }
            return .success(answer)
        }
    }

    /// Makes sure that a request may be sent now, and that the lease outlasts it.
    ///
    /// It reads the stored breaker, because the server may have refused an earlier holder of the lease since.
    private func admit() throws {
        if Task.isCancelled { throw CycleStop.cancelled }
        try lease.keep(in: stores)
        breaker = try read { try $0.breaker(for: networkClient.serverName) }
        let now = wallClock.now()
        try change { $0.settlePause(at: now) }
        if breaker.remaining(at: now) != nil { throw CycleStop.rateLimited }
        progress.noteRequest()
    }

    private func refusal(from error: any Error, _ keys: Set<String>, _ mayBeTooMuch: Bool) throws -> Refusal {
        let failure = error as? GatewayFailure
        let error = failure?.error ?? error
        let untouched = failure?.untouched ?? ((error as? APIError)?.provesNoEffect == true ? keys : [])
        do {
            var refusal = try refusal(from: error, mayBeTooMuch: mayBeTooMuch)
            refusal.untouched = untouched
            return refusal
        } catch {
            throw FailedRequest(reason: error, untouched: untouched)
        }
    }

    private func refusal(from error: any Error, mayBeTooMuch: Bool) throws -> Refusal {
        guard let error = (error as? APIError)?.withoutDoubt else {
            if error is CancellationError { throw CycleStop.cancelled }
            if error is CycleStop || error is StoreError { throw error }
            throw CycleStop.protocolBroken("the request failed: \(error)")
        }
        switch error {
        case .rateLimited(let retryAfter):
            try noteRefusal(retryAfter)
            throw CycleStop.rateLimited
        case .unauthorized(_, mayPass: false): throw CycleStop.signedOut(error.description)
        case .unauthorized(_, mayPass: true): throw CycleStop.signInFailing(error.description)
        case .cancelled: throw CycleStop.cancelled
        case .notSent, .connection, .timeout, .untrusted, .notAServer, .malformedResponse, .answerTooLarge, .http,
            .inDoubt:
            break
        }
        try change { $0.failedOtherwise() }
        switch error {
        case .connection where mayBeTooMuch, .timeout where mayBeTooMuch, .notAServer where mayBeTooMuch:
            return Refusal(error, status: 408)
        case .notSent, .connection, .timeout, .untrusted: throw CycleStop.unreachable(error.description)
        case .notAServer: throw CycleStop.notAServer(error)
        case .http(let status, let problem):
            if status >= 500, let wish = problem.retryAfter { askedToWait = max(askedToWait ?? 0, Double(wish)) }
            return Refusal(error, status: status)
        default: return Refusal(error, status: 502)
        }
    }

    private func noteRefusal(_ retryAfter: Double?) throws {
        let (now, share) = (wallClock.now(), random.fraction())
        try change { $0.refused(retryAfter: retryAfter, at: now, spread: share) }
    }

    /// Changes the stored breaker, which somebody may have reset meanwhile.
    ///
    /// What the server asks for holds for all processes, so it is stored even after another process has taken the
    /// lease.
    ///
    /// - Throws: `CycleStop.leaseLost` where another has.
    private func change(_ transform: (inout CircuitBreaker) -> Void) throws {
        var changed = breaker
        transform(&changed)
        // A breaker that was closed and stays closed needs no read of the store.
        if changed == breaker, breaker == CircuitBreaker() { return }
        let server = networkClient.serverName
        let stored = try read { try $0.breaker(for: server) }
        changed = stored
        transform(&changed)
        breaker = changed
        if changed == stored { return }
        let store = try stores.makeDataStore()
        try store.begin()
        let isHeld = try lease.isHeld(in: store)
        if isHeld { try lease.renew(in: store) }
        breaker = try store.changeBreaker(for: server, transform).breaker
        try store.save()
        if !isHeld { throw CycleStop.leaseLost }
    }
}

/// What comes of a request, and the error of the work that is done while it is on its way.
private func outcome<Answer: Sendable>(
    of request: @escaping @Sendable () async throws -> Answer, besides work: ((_ isSent: Bool) throws -> Void)?
) async -> (answer: Result<Answer, any Error>, failure: (any Error)?) {
    guard let work else { return (await outcome(of: request), nil) }
    return await withTaskGroup(of: Result<Answer, any Error>.self) { group in
        group.addTask { await outcome(of: request) }
        await Task.yield()
        var failure: (any Error)?
        do { try work(true) } catch {
            failure = error
            group.cancelAll()
        }
        return (await group.next() ?? .failure(CancellationError()), failure)
    }
}

/// What comes of a request: its answer, or the error that it throws.
private func outcome<Answer: Sendable>(
    of request: @Sendable () async throws -> Answer
) async -> Result<Answer, any Error> {
    do { return .success(try await request()) } catch { return .failure(error) }
}
