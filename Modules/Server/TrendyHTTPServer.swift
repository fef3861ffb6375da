import Foundation
public import Hummingbird
public import Logging
import NIOCore
public import TrendyDomain

/// The reference backend: all routes of the contract over HTTP, on one SQLite database or on PostgreSQL.
///
/// ```swift
/// let server = try TrendyHTTPServer(ServerConfiguration(dataDirectory: folder, port: 0))
/// try await server.run { port in print("listening on http://127.0.0.1:\(port)") }
/// ```
public struct TrendyHTTPServer: Sendable {
    /// The settings that it was made with.
    public let configuration: ServerConfiguration
    /// What reads and writes records.
    public let records: RecordService
    /// What knows accounts and tokens.
    public let accounts: AccountService
    let routes: [Route]
    private let router: RouterBuilder
    private let ids: any IdentifierGenerator
    private let metrics: ServerMetrics
    let report: MetricsReport
    private let userLimiter: RateLimiter
    private let signInLimits: SignInLimits
    private let readiness: Readiness
    let logger: Logger
    /// What requests may hold in memory.
    let budgets = MemoryBudgets()

    /// Opens the data in the configured folder.
    ///
    /// - Parameter recordRoutes: The kinds of record to serve, and where.
    /// - Throws: ``ServerStartError``.
    public init(
        _ configuration: ServerConfiguration, recordRoutes: [RecordRoute] = .trendy,
        clock: any WallClock = SystemWallClock(), ids: (any IdentifierGenerator)? = nil,
        random: any RandomSource = SystemRandomSource(), logger: Logger? = nil
    ) throws(ServerStartError) {
        let store = try Self.openStore(configuration)
        try self.init(
            configuration, store: store, recordRoutes: recordRoutes, clock: clock, ids: ids, random: random,
            logger: logger)
    }

    /// Serves what is in a store; the configured folder is not touched.
    public init(
        _ configuration: ServerConfiguration, store: any ServerStore, recordRoutes: [RecordRoute] = .trendy,
        clock: any WallClock = SystemWallClock(), ids: (any IdentifierGenerator)? = nil,
        random: any RandomSource = SystemRandomSource(), logger: Logger? = nil
    ) throws(ServerStartError) {
        let ids = ids ?? UUIDv7Generator(clock: clock, random: random)
        let logger = logger ?? ServerLog().logger
        let metrics = ServerMetrics()
        let blocking = BlockingWork(store: store, metrics: metrics)
        let records = RecordService(
            store: store, catalog: try Self.catalog(of: recordRoutes), clock: clock, random: random,
            quota: configuration.quota, demandsAccounts: true,
            live: LiveHub(hints: store.headHints) { users in
                try await blocking.read { try store.heads(of: users) }
            })
        let accounts = AccountService(
            store: store, clock: clock, ids: ids, random: random, lifetimes: configuration.tokenLifetimes,
            cost: configuration.passwordCost, isClosed: configuration.isClosed)
        let readiness = Readiness(store: store, blocking: blocking, logger: logger)
        let limits = configuration.limits
        let signInLimits = SignInLimits(limits.signInsPerMinute, clock: clock)
        let passwords = PasswordWork(workers: System.coreCount / 2)
        let clientAddress = ClientAddress(trustedProxies: configuration.trustedProxies)
        let routes =
            HealthHandlers(version: configuration.version, readiness: readiness).routes
            + FeedHandlers(records: records, blocking: blocking).routes
            + SyncHandlers(records: records, blocking: blocking).routes
            + LiveHandlers(records: records, accounts: accounts, blocking: blocking).routes
            + AccountHandlers(
                accounts: accounts, clientAddress: clientAddress, limits: signInLimits, passwords: passwords,
                blocking: blocking
            ).routes
            + OwnAccountHandlers(
                accounts: accounts, records: records, clientAddress: clientAddress, limits: signInLimits,
                passwords: passwords, blocking: blocking
            ).routes
            + recordRoutes.flatMap {
                RecordHandlers(route: $0, records: records, limits: limits, blocking: blocking).routes
            }
        try Self.check(routes)
        self.configuration = configuration
        self.records = records
        self.accounts = accounts
        self.routes = routes
        self.logger = logger
        self.ids = ids
        self.metrics = metrics
        userLimiter = RateLimiter(limit: limits.requestsPerMinute, clock: clock)
        self.signInLimits = signInLimits
        self.readiness = readiness
        report = MetricsReport(
            metrics: metrics, blocking: blocking, live: records.live, store: store, version: configuration.version)
        router = RouterBuilder(
            routes: routes, metrics: MetricsMiddleware(metrics: metrics, paths: Set(routes.map(\.path))),
            accessLog: AccessLog(logger: logger, paths: Set(routes.map(\.path))),
            problems: ProblemMiddleware(
                names: RequestName(ids: ids, isTrusted: clientAddress.isTrusted(peer:)),
                clientAddress: clientAddress, budgets: budgets, logger: logger),
            authentication: BearerAuthentication(
                accounts: accounts, limiter: userLimiter, blocking: blocking),
            addressLimit: AddressLimit(limiter: signInLimits.ofAddresses, clientAddress: clientAddress))
    }

    /// From the next request on, so many requests a minute are let through. Limits of sizes stay as they are.
    public func setRequestLimits(_ limits: ServerConfiguration.Limits) {
        userLimiter.setLimit(limits.requestsPerMinute)
        signInLimits.set(limits.signInsPerMinute)
    }

    /// The application, for tests of the router and for those who embed it.
    public func makeApplication(
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        makeApplication(logger: logger, onListening: onListening)
    }

    func makeApplication(
        logger: Logger, onListening: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let limit = ConnectionLimit(
            configuration.maximumConnections, perAddress: configuration.connectionsPerAddress,
            trustedProxies: configuration.trustedProxies, logger: logger)
        metrics.countConnections { limit.counts }
        let (live, readiness) = (records.live, readiness)
        live.open()
        readiness.setStopping(false)
        return Application(
            router: router.build(),
            server: .timed(configuration.timeouts, limit: limit, ids: ids) {
                readiness.setStopping(true)
                live.close()
            },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: configuration.product,
                availableConnectionsDelegate: .maximum(limit.maximum + limit.refused, logger: logger)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) }, logger: logger)
    }
}

extension TrendyHTTPServer {
    private static func catalog(of routes: [RecordRoute]) throws(ServerStartError) -> RecordCatalog {
        do {
            return try RecordCatalog(routes.map(\.kind))
        } catch {
            throw .badRoutes(reason: "\(error)")
        }
    }

    private static func check(_ routes: [Route]) throws(ServerStartError) {
        var seen: Set<String> = []
        for route in routes where !seen.insert("\(route.method) \(route.path)").inserted {
            throw .badRoutes(reason: "\(route.method) \(route.path) exists twice")
        }
    }
}
