import Testing
import TrendyData
import TrendyServer

@testable import TrendyApp

/// A real server on a port of its own, for as long as a test's body runs.
func withServer(
    limits: ServerConfiguration.Limits = .unlimitedRequests, _ body: @Sendable (ServerAddress) async throws -> Void
) async throws {
    let home = try TestHome()
    let server = try TrendyHTTPServer(
        ServerConfiguration(
            dataDirectory: home.url, port: 0, limits: limits, passwordCost: .minimal))
    let (ports, announce) = AsyncStream<Int>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try await server.runUntilCancelled { port in announce.yield(port) }
            announce.finish()
        }
        var iterator = ports.makeAsyncIterator()
        let port = try #require(await iterator.next())
        try await body(try ServerAddress(parse: "http://127.0.0.1:\(port)"))
        group.cancelAll()
        try await group.waitForAll()
    }
}
