import Foundation
import TrendyDomain

/// Everything that the phases of one cycle share: what they work with, and what they have done so far.
///
/// It lives within the engine's isolation and never outlasts the cycle.
final class SyncCycle {
    let networkClient: any NetworkClientProtocol
    let stores: any DataStoreFactory
    let schema: EntitySchema
    let configuration: SyncConfiguration
    let wallClock: any WallClock
    let identifiers: any IdentifierGenerator
    let lease: SyncLease
    let onState: @Sendable (SyncState) -> Void
    /// Told how many records and deletions have come so far.
    private let tellReceived: @Sendable (Int) -> Void

    private(set) var breaker: CircuitBreaker
    var pushed = 0
    var pulled = 0
    /// How many of them a bootstrap has put in place.
    var placed = 0
    var bootstrapped = false
    /// What the server said where it failed on a mutation.
    var failures: [Int64: String] = [:]
    /// How many seconds the server asked to be left alone where it failed; the longest of its wishes.
    private(set) var askedToWait: Double?
    /// True where the feed has more than one cycle reads.
    var hasMore = false

    init(
        networkClient: any NetworkClientProtocol, stores: any DataStoreFactory, schema: EntitySchema,
        configuration: SyncConfiguration, wallClock: any WallClock, identifiers: any IdentifierGenerator,
        lease: SyncLease, breaker: CircuitBreaker, onState: @escaping @Sendable (SyncState) -> Void,
        tellReceived: @escaping @Sendable (Int) -> Void
    ) {
        self.networkClient = networkClient
        self.stores = stores
        self.schema = schema
        self.configuration = configuration
        self.wallClock = wallClock
        self.identifiers = identifiers
        self.lease = lease
        self.breaker = breaker
        self.onState = onState
        self.tellReceived = tellReceived
    }

    /// Tells how much has come.
    func noteReceived(_ count: Int) {
        received += count
        tellReceived(received)
    }

    private var received = 0

    // MARK: Store

    /// Does a piece of work on the store and commits it, with the lease renewed in the same save.
    func write<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        let store = try stores.makeDataStore()
        try store.begin()
        try lease.renew(in: store)
        let result = try body(store)
        try store.save()
        return result
    }

    /// Reads from the store.
    func read<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        try body(try stores.makeDataStore())
    }

    // MARK: Requests

    /// Sends one request, unless the breaker forbids it.
    ///
    /// - Parameter provesHealth: False where a success tells nothing of the server's load: a limiter lets health
    ///   checks through.
    /// - Parameter silence: What it means that no answer came.
    /// - Returns: The answer, or a refusal that concerns what was asked and not the connection.
    /// - Throws: ``CycleStop`` where no further request makes sense.
    func send<Answer>(
        provesHealth: Bool = true, silence: Silence = .endsCycle, _ request: () async throws -> Answer
    ) async throws -> Result<Answer, Refusal> {
        try admit()
        let outcome: Result<Answer, any Error>
        do { outcome = .success(try await request()) } catch { outcome = .failure(error) }
        if case .success(let answer) = outcome, !provesHealth { return .success(answer) }
        return try settle(outcome, silence: silence)
    }

    /// Makes sure that a request may be sent now.
    ///
    /// The stored breaker is asked: whoever had the lease before may have been refused since.
    func admit() throws {
        if Task.isCancelled { throw CycleStop.cancelled }
        try read { store in
            try lease.demand(in: store)
            breaker = try store.breaker(for: networkClient.serverName)
        }
        let now = wallClock.now()
        if breaker.remaining(at: now) != nil { throw CycleStop.rateLimited }
        try change { $0.forgetPastPause(at: now) }
    }

    /// Draws the consequences of an answer for the breaker and the cycle.
    ///
    /// - Parameters:
    ///   - silence: What it means that no answer came.
    ///   - isSuccess: False for an answer by which the server has refused all that it was asked.
    func settle<Answer>(
        _ outcome: Result<Answer, any Error>, silence: Silence = .endsCycle, isSuccess: (Answer) -> Bool = { _ in true }
    ) throws -> Result<Answer, Refusal> {
        switch outcome {
        case .success(let answer):
            let now = wallClock.now()
            try change { isSuccess(answer) ? $0.succeeded(at: now) : $0.failedOtherwise() }
            return .success(answer)
        case .failure(let error):
            return .failure(try refusal(from: error, silence))
        }
    }

    private func refusal(from error: any Error, _ silence: Silence) throws -> Refusal {
        guard let error = error as? APIError else {
            if error is CancellationError { throw CycleStop.cancelled }
            if let stop = error as? CycleStop { throw stop }
            throw CycleStop.protocolBroken("the request failed: \(error)")
        }
        switch error {
        case .rateLimited(let retryAfter):
            try change { $0.refused(retryAfter: retryAfter, at: self.wallClock.now()) }
            throw CycleStop.rateLimited
        case .unauthorized:
            throw CycleStop.signedOut(error.description)
        case .cancelled:
            throw CycleStop.cancelled
        case .timeout where silence != .endsCycle, .connection where silence == .isRefusal:
            try change { $0.failedOtherwise() }
            return Refusal(status: 408, problem: ProblemDetails(status: 408, detail: error.description), error: error)
        case .connection, .timeout:
            try change { $0.failedOtherwise() }
            throw CycleStop.unreachable(error.description)
        case .notAServer:
            try change { $0.failedOtherwise() }
            throw CycleStop.notAServer(error.description)
        case .malformedResponse, .answerTooLarge:
            try change { $0.failedOtherwise() }
            return Refusal(status: 502, problem: ProblemDetails(status: 502, detail: error.description), error: error)
        case .http(let status, let problem):
            try change { $0.failedOtherwise() }
            if status >= 500, let wish = problem.retryAfter { askedToWait = max(askedToWait ?? 0, Double(wish)) }
            return Refusal(status: status, problem: problem, error: error)
        }
    }

    /// Changes the breaker, where that makes a difference: the stored one, which somebody may have reset meanwhile.
    ///
    /// What the server says holds for all processes: it is kept also where another has taken the lease over.
    ///
    /// - Throws: `CycleStop.leaseLost` where another has.
    private func change(_ transform: (inout CircuitBreaker) -> Void) throws {
        var changed = breaker
        transform(&changed)
        // One that was closed and stays so needs no look.
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

/// What it means that a request got no answer.
enum Silence {
    /// The server cannot be reached, and the cycle ends.
    case endsCycle
    /// Less could be asked for: that no answer came in time is a refusal.
    case refusesIfTimedOut
    /// It has been so before, while others were answered: it is a refusal of what was sent.
    case isRefusal
}

/// A refusal that concerns what was asked.
struct Refusal: Error {
    var status: Int
    var problem: ProblemDetails
    var error: APIError

    /// True where the server failed, rather than refused.
    var isServerFailure: Bool { status >= 500 || status == 408 || status == 425 }

    /// True where the answer says that the server, or the way to it, is unwell, whatever was sent (RFC 9110, 15.6).
    var saysUnwell: Bool { (502...504).contains(status) || status == 408 || status == 425 }

    /// True where it is the idempotency key that is refused, because the server knows it by another body: 422 in the
    /// IETF's draft of the header, which has no word for it that a program could read.
    var concernsKey: Bool {
        let words = [problem.type, problem.title, problem.detail].compactMap { $0?.lowercased() }
        return status == 422 && words.contains { $0.contains("idempotency") }
    }

    /// True where a smaller page might have come through.
    var isTooLarge: Bool { if case .answerTooLarge = error { true } else { false } }

    /// True where nothing was answered at all: that blames nobody.
    var isSilence: Bool {
        switch error {
        case .connection, .timeout: true
        default: false
        }
    }

    /// True where no answer came in time; that of a smaller page might have come.
    var isTimeout: Bool { error == .timeout }

    /// What to tell a person.
    var message: String { error.description }

    /// The refusal as the end of a cycle, for requests that concern no mutation.
    var asStop: CycleStop {
        if error.isUnreadableAnswer { return .protocolBroken(message) }
        return isServerFailure ? .unreachable(message) : .protocolBroken(message)
    }
}
