import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing
import TrendyDomain

@testable import TrendyServer

@Suite("A body that comes slowly")
struct SlowBodyTests {
    private let channel = EmbeddedChannel()

    private func begin() throws {
        let handler = ConnectionHandler(ConnectionTimeouts(reading: 30), ids: UUIDv7Generator(), onStop: {})
        try channel.pipeline.syncOperations.addHandler(handler)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/api/v1/events")
        try channel.writeInbound(HTTPServerRequestPart.head(head))
    }

    /// Sends so many bytes every ten seconds, for as long as the connection is there. Returns how many seconds that was.
    private func send(_ bytes: Int, forSeconds limit: Int64) throws -> Int64 {
        for second in stride(from: Int64(10), through: limit, by: 10) {
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            guard channel.isActive else { return second }
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 0, count: bytes)))
        }
        return limit
    }

    @Test("ends with its connection, although something comes now and then")
    func trickle() throws {
        try begin()
        #expect(try send(1, forSeconds: 600) == 40)
    }

    @Test("is read for as long as it comes at the least rate")
    func leastRate() throws {
        try begin()
        #expect(try send(41_000, forSeconds: 600) == 600)
        #expect(channel.isActive)
        // It was a little faster, but silence is silence.
        channel.embeddedEventLoop.advanceTime(by: .seconds(31))
        #expect(!channel.isActive)
    }
}
