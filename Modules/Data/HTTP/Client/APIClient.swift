import Foundation
import Synchronization
public import TrendyDomain

/// A server of the REST contract, or of another with its own ``RouteTable``, over HTTP.
///
/// Each call sends its request once. It tries again only a request that was refused with 401, once, with a renewed
/// token. Every method throws `APIError`.
public final class APIClient: NetworkClientProtocol {
    /// The server that it talks to.
    public let server: ServerAddress
    /// The address.
    public var serverName: String? { server.description }
    /// The routes of that server.
    public let routes: RouteTable
    let credentials: any CredentialStore
    let clock: any WallClock
    let device: String?
    let reader: ResponseReader
    /// How long a request may take together with the renewal of its token and its repetition.
    public let timeLimit: Duration
    private let stopwatch: any Clock<Duration>
    private let sender: RequestSender
    private let tokens: TokenKeeper
    private let reading = Mutex<ClockReading?>(nil)
    private let product = Mutex<String?>(nil)

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - server: Where the server is.
    ///   - credentials: Where the tokens come from, and where renewed ones are kept.
    ///   - routes: The server's routes.
    ///   - transport: What carries the requests.
    ///   - device: What this device calls itself at a sign-in, as the `User-Agent`; nil for nothing.
    ///   - timeLimit: How long a request may take together with the renewal of its token and its repetition. It has to be
    ///     shorter than the lease of a sync (Docs/decisions/0042).
    ///   - clock: The time, to read dates that servers give as waits.
    ///   - stopwatch: Measures that time.
    ///   - executor: Runs work that outlives the call that began it (the renewal of a token); nil for the system's
    ///     threads.
    public init(
        server: ServerAddress, credentials: any CredentialStore, routes: RouteTable = .trendy,
        transport: any HTTPTransport = standardTransport(), device: String? = nil,
        timeLimit: Duration = TransportConfiguration().totalTimeout,
        clock: any WallClock = SystemWallClock(), stopwatch: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil
    ) {
        let sender = RequestSender(
            server: server, basePath: routes.basePath, tokenHeader: routes.tokenHeader, transport: transport)
        let reader = ResponseReader(clock: clock, problemBody: routes.problemBody)
        let renewal = TokenRenewal(
            path: routes.account.refresh, mapping: routes.accountBody, sender: sender, reader: reader, clock: clock)
        self.server = server
        self.routes = routes
        self.credentials = credentials
        self.clock = clock
        self.device = device
        self.timeLimit = timeLimit
        self.stopwatch = stopwatch
        self.sender = sender
        self.reader = reader
        tokens = TokenKeeper(server: server, store: credentials, executor: executor) { try await renewal.renewed($0) }
    }

    /// What the `Date` of the latest answer has told of the server's clock.
    public var clockReading: ClockReading? { reading.withLock { $0 } }

    /// What the `Server` of the latest answer that has one says, without its comment (RFC 9110, section 10.2.4).
    public var serverProduct: String? { product.withLock { $0 } }

    /// What the kind's routes can do; lists in one piece and no batches for a kind without routes.
    public func capabilities(of entityType: EntityType) -> RouteCapabilities {
        routes.records[entityType]?.capabilities ?? RouteCapabilities(listing: .whole)
    }

    /// The routes of a kind.
    func recordRoutes(_ entityType: EntityType) throws -> RecordRoutes {
        guard let found = routes.records[entityType] else {
            throw APIError.malformedResponse("no route is known for \(entityType.displayName) records")
        }
        return found
    }

    /// Sends a request with the token, and once more with a renewed one where it is refused with 401 and time is left.
    func send(_ request: APIRequest) async throws -> TransportResponse {
        let elapsed = stopwatch.started()
        return try await authorized { token in
            let left = timeLimit - elapsed()
            // A renewal that takes long carries no changes. What follows it would, when another may sync already.
            guard left > .zero else { throw APIError.notSent("the renewal of the sign-in has taken too long") }
            return try await sendOnce(request, token, within: left)
        }
    }

    /// Does with the token what is to be done, and once more with a renewed one where it is refused with 401.
    func authorized(_ attempt: (Secret) async throws -> TransportResponse) async throws -> TransportResponse {
        let used = try await tokens.current().accessToken
        let response = try await attempt(used)
        guard response.status == 401 else { return response }
        do {
            var second = try await repeated(attempt, after: response, used)
            if response.mayHaveArrivedBefore { second.mayHaveArrivedBefore = true }
            return second
        } catch let error as APIError where response.mayHaveArrivedBefore {
            throw error.asRepetition
        }
    }

    /// Renews the token, and makes the attempt again that was refused with 401.
    private func repeated(
        _ attempt: (Secret) async throws -> TransportResponse, after response: TransportResponse, _ used: Secret
    ) async throws -> TransportResponse {
        let renewed: Credentials
        do {
            renewed = try await tokens.replacement(for: used)
        } catch let failure as SignInServiceFailure {
            throw failure.asRequestError
        } catch is NoRenewal {
            throw finalRefusal(response, of: used)
        } catch APIError.unauthorized(_, let mayPass) {
            throw refusal(response, mayPass: mayPass)
        }
        let second = try await attempt(renewed.accessToken)
        // A server that has just given a token, and does not accept it, is not well.
        if second.status == 401 { throw refusal(second, mayPass: true) }
        return second
    }

    /// The refusal of a token that cannot be renewed: it ends the sign-in where the token itself says that its time is
    /// over, by the server's clock where that is told.
    private func finalRefusal(_ response: TransportResponse, of token: Secret) -> APIError {
        let here = clock.now()
        let now = response.header("Date").flatMap { HTTPDate.timestamp($0, now: here) } ?? here
        if let end = token.expiry, now >= end { return refusal(response, mayPass: false) }
        return refusal(response, mayPass: true, remark: APIError.withoutRenewal)
    }

    private func refusal(_ response: TransportResponse, mayPass: Bool, remark: String = "") -> APIError {
        let error = reader.refusal(response)
        guard case .unauthorized(let reason, _) = error.withoutDoubt else { return error }
        let refusal = APIError.unauthorized(reason + remark, mayPass: mayPass)
        return response.mayHaveArrivedBefore ? refusal.asRepetition : refusal
    }

    /// Sends a request, and hands its answer over as it comes; see ``RequestSender/stream(_:token:_:)``.
    func stream(
        _ request: APIRequest, token: Secret, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
    ) async throws -> TransportResponse {
        try await sender.stream(request, token: token, receive)
    }

    /// Sends a request that needs no token.
    func sendOpenly(_ request: APIRequest) async throws -> TransportResponse {
        try await sendOnce(request, nil)
    }

    /// Sends a request, and notes what its answer tells of the server's clock and of its version.
    private func sendOnce(
        _ request: APIRequest, _ token: Secret?, within limit: Duration? = nil
    ) async throws -> TransportResponse {
        let askedAt = clock.now()
        let response = try await sender.send(request, token: token, within: limit)
        if let shown = response.header("Date").flatMap({ HTTPDate.timestamp($0, now: askedAt) }) {
            let seen = ClockReading(server: shown, askedAt: askedAt, answeredAt: clock.now())
            reading.withLock { $0 = seen }
        }
        if let named = Self.product(named: response.header("Server")) { product.withLock { $0 = named } }
        return response
    }

    /// A header's products, up to the first comment. Comments can differ from one machine to the next.
    private static func product(named field: String?) -> String? {
        guard let field else { return nil }
        let named = String(field.prefix { $0 != "(" }.prefix(100)).trimmed
        return named.isEmpty ? nil : named
    }

    /// Reads the answer to a request. If it makes no sense, the error names the request.
    func naming<Value>(_ request: APIRequest, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch APIError.malformedResponse(let reason) {
            let path = (request.isBesideBasePath ? "" : routes.basePath) + request.path
            throw APIError.malformedResponse("\(request.method.rawValue) \(path), \(reason)")
        }
    }

    /// The body of a request, as the backend takes it.
    func encode(_ value: some Encodable, mapping: BodyMapping?) throws -> Data {
        try BodyMapping.encode(value, mapping: mapping)
    }
}

extension Clock where Duration == Swift.Duration {
    /// Begins to measure. What it returns tells how much time has passed.
    fileprivate func started() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
