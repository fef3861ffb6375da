public import Foundation
import TrendyDomain

/// How a server is set up.
public struct ServerConfiguration: Sendable {
    /// What a caller may ask of the server.
    public struct Limits: Sendable, Hashable {
        /// Requests a minute of one user; nil for no limit.
        public var requestsPerMinute: Int?
        /// Sign-ups and wrong passwords a minute from one address (IPv6: /64), sign-ins a minute of one account, and
        /// refreshes a minute of one sign-in; nil for no limit.
        public var signInsPerMinute: Int?
        /// Bytes of a body.
        public var bodySize: Int
        /// Bytes of the body of a batch.
        public var batchSize: Int

        /// The limits of the contract: 300 and 10 requests a minute, 1 MiB and 5 MiB.
        public init(
            requestsPerMinute: Int? = 300, signInsPerMinute: Int? = 10, bodySize: Int = 1 << 20,
            batchSize: Int = 5 << 20
        ) {
            self.requestsPerMinute = requestsPerMinute
            self.signInsPerMinute = signInsPerMinute
            self.bodySize = bodySize
            self.batchSize = batchSize
        }

        /// No limit on the number of requests; bodies are limited all the same.
        public static let unlimitedRequests = Limits(requestsPerMinute: nil, signInsPerMinute: nil)
    }

    /// How long the server waits for its clients, in seconds.
    public struct Timeouts: Sendable, Hashable {
        /// For the next bytes of a request that has begun, and for the first request of a connection. A body has to come
        /// with 4 KiB a second at least beyond this time.
        public var reading: Double
        /// For the next request on a connection.
        public var keepAlive: Double
        /// For requests that are under way when the server is told to stop; then they are cut off.
        public var shutdown: Double

        /// 30, 65 and 10 seconds: the keep-alive is a little more than the 60 that proxies use, so that it is the
        /// proxy that closes.
        public init(reading: Double = 30, keepAlive: Double = 65, shutdown: Double = 10) {
            self.reading = reading
            self.keepAlive = keepAlive
            self.shutdown = shutdown
        }
    }

    /// The address to listen at; only this machine unless told otherwise.
    public var host: String
    /// The port to listen at; 0 for any free one.
    public var port: Int
    /// The folder that holds the server's data; made where there is none, for the user alone.
    public var dataDirectory: URL
    /// How much may be sent and asked for.
    public var limits: Limits
    /// How much each account may keep.
    public var quota: AccountQuota
    /// How many connections are served at a time; nil for as many as the process may have files open.
    ///
    /// There are never more than those, whatever this says. Who comes after them gets a 503 with `Retry-After`.
    public var maximumConnections: Int?
    /// Where `GET /metrics` is answered; nil for nowhere.
    public var metrics: MetricsAddress?
    /// How many of the connections one address may have (IPv6: /64); nil for a quarter of them, and 256 at least.
    ///
    /// Who has more gets a 429 with `Retry-After`. Trusted proxies may have as many as there are.
    public var connectionsPerAddress: Int?
    /// The proxies whose `Forwarded` and `X-Forwarded-For` are believed.
    public var trustedProxies: [AddressBlock]
    /// How long a connection may be idle or slow.
    public var timeouts: Timeouts
    /// How long tokens are good for.
    public var tokenLifetimes: TokenLifetimes
    /// How expensive a password's hash is.
    public var passwordCost: PasswordCost
    /// Whether accounts are made by invitation alone.
    public var isClosed: Bool
    /// The version that `/health` and the `Server` of each answer tell: that of Trendy, where none was given.
    public var version: String

    /// Makes a configuration; what is left out has its usual value.
    public init(
        dataDirectory: URL, host: String = "127.0.0.1", port: Int = 8080, limits: Limits = Limits(),
        quota: AccountQuota = AccountQuota(), maximumConnections: Int? = nil, connectionsPerAddress: Int? = nil,
        trustedProxies: [AddressBlock] = [], metrics: MetricsAddress? = nil, timeouts: Timeouts = Timeouts(),
        tokenLifetimes: TokenLifetimes = TokenLifetimes(), passwordCost: PasswordCost = .standard,
        isClosed: Bool = false, version: String? = nil
    ) {
        self.dataDirectory = dataDirectory
        self.host = host
        self.port = port
        self.limits = limits
        self.quota = quota
        self.maximumConnections = maximumConnections
        self.metrics = metrics
        self.connectionsPerAddress = connectionsPerAddress
        self.trustedProxies = trustedProxies
        self.timeouts = timeouts
        self.tokenLifetimes = tokenLifetimes
        self.passwordCost = passwordCost
        self.isClosed = isClosed
        self.version = version ?? TrendyVersion.current
    }

    /// What the server calls itself in each answer (RFC 9110, section 10.2.4). Other signs are not allowed there.
    var product: String {
        let token = version.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
        return token.isEmpty ? "trendy" : "trendy/\(token)"
    }

    /// The database in the data folder.
    public var databaseFile: URL { dataDirectory.appending(path: "server.sqlite") }
}
