import Foundation
import Logging
import TrendyDomain
import TrendyServer
import TrendyTestSupport

// Hummingbird has a `ServerConfiguration` too: this file does not import it, so that ours can be named.

typealias ServerLimits = ServerConfiguration.Limits
typealias ServerTimeouts = ServerConfiguration.Timeouts

func makeServer(
    limits: ServerLimits, store: (any ServerStore)?, routes: [RecordRoute], clock: any WallClock,
    connections: Int? = nil, perAddress: Int? = .max, trustedProxies: [AddressBlock] = [],
    timeouts: ServerTimeouts = ServerTimeouts(), isClosed: Bool = false,
    logger: Logger? = nil
) throws -> TrendyHTTPServer {
    let nowhere = URL(filePath: "/dev/null/nowhere")
    let configuration = ServerConfiguration(
        dataDirectory: nowhere, port: 0, limits: limits, maximumConnections: connections,
        connectionsPerAddress: perAddress, trustedProxies: trustedProxies, timeouts: timeouts, passwordCost: .minimal,
        isClosed: isClosed, version: "1.2.3")
    return try TrendyHTTPServer(
        configuration, store: try store ?? SQLiteServerStore(), recordRoutes: routes, clock: clock,
        random: SeededRandomSource(seed: 1), logger: logger ?? quietLogger())
}

func makeServer(
    in folder: URL, host: String = "127.0.0.1", port: Int = 0, timeouts: ServerTimeouts = ServerTimeouts(),
    logger: Logger? = nil
) throws -> TrendyHTTPServer {
    let configuration = ServerConfiguration(
        dataDirectory: folder, host: host, port: port, limits: .unlimitedRequests, timeouts: timeouts,
        passwordCost: .minimal)
    return try TrendyHTTPServer(configuration, logger: logger ?? quietLogger())
}

private func quietLogger() -> Logger {
    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
