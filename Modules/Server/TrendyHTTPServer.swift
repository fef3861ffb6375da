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
    let logger: Logger

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
        let logger = logger ?? Self.standardErrorLogger()
        let blocking = BlockingWork(store: store)
        let records = RecordService(
            store: store, catalog: try Self.catalog(of: recordRoutes), clock: clock, random: random,
            live: LiveHub(hints: store.headHints) { users in
                try await blocking.read { try store.heads(of: users) }
            })
        let accounts = AccountService(
            store: store, clock: clock, ids: ids, random: random, lifetimes: configuration.tokenLifetimes,
            cost: configuration.passwordCost, isClosed: configuration.isClosed)
        let limits = configuration.limits
        let routes =
            FeedHandlers(records: records, version: configuration.version, blocking: blocking).routes
            + SyncHandlers(records: records, blocking: blocking).routes
            + LiveHandlers(records: records, accounts: accounts, blocking: blocking).routes
            + AccountHandlers(accounts: accounts, limits: limits, blocking: blocking).routes
            + OwnAccountHandlers(accounts: accounts, records: records, limits: limits, blocking: blocking).routes
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
        router = RouterBuilder(
            routes: routes, problems: ProblemMiddleware(ids: ids, logger: logger),
            authentication: BearerAuthentication(
                accounts: accounts, limiter: RateLimiter(limit: limits.requestsPerMinute, clock: clock),
                blocking: blocking),
            addressLimit: AddressLimit(limiter: RateLimiter(limit: limits.signInsPerMinute, clock: clock)))
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
        let limit = ConnectionLimit(configuration.maximumConnections, logger: logger)
        let live = records.live
        live.open()
        return Application(
            router: router.build(), server: .timed(configuration.timeouts, limit: limit, ids: ids) { live.close() },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "trendy",
                availableConnectionsDelegate: .maximum(limit.maximum + limit.refused, logger: logger)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) }, logger: logger)
    }

    /// Says on standard error what happens.
    public static func standardErrorLogger() -> Logger {
        Logger(label: "trendy.server") { StreamLogHandler.standardError(label: $0) }
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
