import Synchronization
public import TrendyDomain

/// A server in memory, and a spy on everything that is asked of it.
///
/// By default it serves every call as a small, faithful server would: records of each kind with
/// validation, parents, cascades and natural keys, a change feed with ascending ids, and answers
/// replayed by idempotency key. A kind outside its schema is 404, as is a batch of a kind that has
/// none; a batch that is empty or larger than its limit is 400. A test scripts what goes wrong:
///
/// ```swift
/// let network = MockNetworkClient()
/// await network.enqueue(.fail(APIError.timeout), for: .create, .event)           // the next one fails
/// await network.enqueue(.serveThenFail(APIError.timeout), for: .create, .event)  // then one answer is lost
/// await engine.performSync()
/// #expect(await network.createEventCallCount == 2)
/// ```
public actor MockNetworkClient: NetworkClientProtocol {
    struct ScriptKey: Hashable {
        let operation: MockOperation
        let entityType: EntityType?
    }

    /// The kinds of record that the server keeps.
    public nonisolated let schema: EntitySchema
    private nonisolated let kindCapabilities: [EntityType: RouteCapabilities]
    private let clock: any WallClock
    /// The server that answers exchanges; nil if there is none.
    nonisolated let exchangeServer: ExchangeServer?
    /// The streams by which the server tells where the account stands.
    public nonisolated let heads = MockHeads()

    private nonisolated let reading = Mutex<ClockReading?>(nil)
    /// What its answers tell of the server's clock; nothing until a test says so.
    public nonisolated var clockReading: ClockReading? {
        get { reading.withLock { $0 } }
        set { reading.withLock { $0 = newValue } }
    }

    private nonisolated let product = Mutex<String?>(nil)
    /// What its answers call the server; nothing until a test says so.
    public nonisolated var serverProduct: String? {
        get { product.withLock { $0 } }
        set { product.withLock { $0 = newValue } }
    }

    /// Every call so far, those that failed too.
    public private(set) var calls: [MockCall] = []
    var server: MockServer
    private var queues: [ScriptKey: [MockAnswer]] = [:]
    private var standing: [ScriptKey: MockAnswer] = [:]
    private var beforeEachCall: (@Sendable (MockCall) async throws -> Void)?
    /// The most records that a listing shows at once, whatever is asked for; nil where it shows all of them.
    private(set) var listCap: Int?

    /// Makes a server without records.
    ///
    /// - Parameters:
    ///   - schema: The kinds of record that it keeps.
    ///   - clock: Where it reads the times that it stamps.
    ///   - capabilities: What it offers for a kind, where that differs from ``defaultCapabilities``.
    ///   - exchange: The server that answers exchanges; if it is nil, they are 404. Its records are apart from those
    ///     of the other routes.
    ///   - comparesSpelling: Whether the other routes take two names for the same only where they are spelt alike, as
    ///     deployed servers do.
    public init(
        schema: EntitySchema = .trendy, clock: any WallClock = ManualWallClock(),
        capabilities: [EntityType: RouteCapabilities] = [:], exchange: ExchangeServer? = nil,
        comparesSpelling: Bool = false
    ) {
        self.schema = schema
        self.clock = clock
        exchangeServer = exchange
        kindCapabilities = Self.defaultCapabilities.merging(capabilities) { $1 }
        server = MockServer(schema: schema, comparesSpelling: comparesSpelling)
    }

    /// What the contract's server offers for Trendy's kinds. Its lists in one piece are always whole. Any other kind
    /// is listed whole too, and an engine makes sure of it.
    public static let defaultCapabilities: [EntityType: RouteCapabilities] = [
        .event: RouteCapabilities(listing: .paged(limit: 1000), batchLimit: 500),
        .eventType: RouteCapabilities(listing: .whole, fillsPages: true),
        .geofence: RouteCapabilities(listing: .whole, fillsPages: true),
        .propertyDefinition: RouteCapabilities(listing: .perParent(.eventType), fillsPages: true),
    ]

    // MARK: Script

    /// Appends to what becomes of the next calls of that operation; each answer is used once.
    ///
    /// Answers for a kind come before those for any kind, and both before ``always(_:for:_:)``.
    public func enqueue(_ answer: MockAnswer, times: Int = 1, for operation: MockOperation, _ type: EntityType? = nil) {
        queues[ScriptKey(operation: operation, entityType: type), default: []] +=
            Array(repeating: answer, count: times)
    }

    /// Says what becomes of every call of that operation from now on; nil serves them again.
    public func always(_ answer: MockAnswer?, for operation: MockOperation, _ type: EntityType? = nil) {
        standing[ScriptKey(operation: operation, entityType: type)] = answer
    }

    /// Says what becomes of every call from now on, whatever it asks; nil serves them again.
    ///
    /// What was said of single operations, for any kind, is replaced by it.
    public func always(_ answer: MockAnswer?) {
        for operation in MockOperation.allCases { always(answer, for: operation) }
    }

    /// Does something before each call is served: holds it back, changes the server, or throws in its place.
    public func beforeEachCall(_ action: (@Sendable (MockCall) async throws -> Void)?) {
        beforeEachCall = action
    }

    /// Shows at most so many records in an answer to a listing, whatever is asked for, as servers do that have a
    /// limit of their own; nil ends that.
    public func capLists(at count: Int?) {
        listCap = count
    }

    /// Forgets the calls and the script; the records stay.
    public func reset() {
        calls = []
        queues = [:]
        standing = [:]
        beforeEachCall = nil
    }

    /// The present moment, as the server sees it.
    var now: Timestamp { clock.now() }

    private func nextAnswer(_ call: MockCall) -> MockAnswer {
        var keys = [ScriptKey(operation: call.operation, entityType: nil)]
        if let type = call.entityType { keys.insert(ScriptKey(operation: call.operation, entityType: type), at: 0) }
        for key in keys {
            if let answer = queues[key]?.first {
                queues[key]?.removeFirst()
                return answer
            }
        }
        return keys.lazy.compactMap { self.standing[$0] }.first ?? .serve
    }

    /// Records a call, and serves it or does what the script says.
    func answer<Answer: Decodable>(
        _ call: MockCall, serve: (isolated MockNetworkClient) throws -> Answer
    ) async throws -> Answer {
        calls.append(call)
        let answer = nextAnswer(call)
        try await beforeEachCall?(call)
        if Task.isCancelled { throw APIError.cancelled }
        switch answer {
        case .serve:
            try refuseUnknownRoute(call)
            return try serve(self)
        case .fail(let error): throw error
        case .serveThenFail(let error):
            try refuseUnknownRoute(call)
            _ = try serve(self)
            throw error
        case .respond(let json):
            do {
                return try WireCoding.decode(Answer.self, from: WireCoding.encode(json))
            } catch let error as DecodingError {
                throw APIError.malformedResponse(String(describing: error))
            }
        }
    }

    /// What the mock offers for a kind: as it was made to say; otherwise lists in one piece and no batches.
    public nonisolated func capabilities(of entityType: EntityType) -> RouteCapabilities {
        kindCapabilities[entityType] ?? RouteCapabilities(listing: .whole)
    }
}
