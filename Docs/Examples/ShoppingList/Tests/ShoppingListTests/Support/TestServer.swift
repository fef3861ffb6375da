import Foundation
import ShoppingBackend
import Testing
import TrendyData
import TrendyServer

/// A folder for one test, gone with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "shopping-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Runs a shopping server on a free port of this machine for as long as the body runs.
func withShoppingServer(_ body: @Sendable (ServerAddress) async throws -> Void) async throws {
    let folder = try TestFolder()
    let server = try ShoppingServer.make(
        ServerConfiguration(
            dataDirectory: folder.url, port: 0, limits: .unlimitedRequests, passwordCost: .minimal))
    let (ports, announce) = AsyncStream<Int>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { announce.finish() }
            try await server.runUntilCancelled { port in announce.yield(port) }
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { return try await group.waitForAll() }
        try await body(try ServerAddress(parse: "http://127.0.0.1:\(port)"))
        group.cancelAll()
        try await group.waitForAll()
    }
}
