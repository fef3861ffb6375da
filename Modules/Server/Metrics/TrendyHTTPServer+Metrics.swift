import HTTPTypes
import Hummingbird
import Logging
import NIOCore

extension TrendyHTTPServer {
    /// What answers `GET /metrics`, at an address of its own: whom it may be shown is decided by who can reach that.
    func makeMetricsApplication(
        at address: MetricsAddress, onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("metrics") { [report] _, _ in
            Response(
                status: .ok, headers: [.contentType: MetricsText.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: report.text)))
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: "trendy"),
            onServerRunning: { await onListening($0.localAddress?.port ?? 0) },
            // Its failure to listen is thrown, and nothing else that happens to it is worth a line.
            logger: Logger(label: "trendy.server.metrics") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Does the work while metrics are answered, where that was asked for; the work begins when both can be had.
    func besideMetrics(_ work: @escaping @Sendable () async throws -> Void) async throws {
        guard let address = configuration.metrics else { return try await work() }
        let (listening, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = makeMetricsApplication(at: address) { [logger] port in
            logger.notice("metrics are answered", metadata: ["port": "\(port)"])
            continuation.yield(port)
            continuation.finish()
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await Self.naming(address.host, address.port) {
                    try await application.runService(gracefulShutdownSignals: [])
                }
                return false
            }
            group.addTask {
                for await _ in listening {
                    try await work()
                    return true
                }
                return false
            }
            // If the metrics cannot be served, the other task throws the reason, and this one has not begun.
            while let isDone = try await group.next(), !isDone {}
            group.cancelAll()
        }
    }
}
