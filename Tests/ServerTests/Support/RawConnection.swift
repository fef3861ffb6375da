import NIOCore
import NIOPosix

/// A TCP connection to a server under test, for what no HTTP client would send.
enum RawConnection {
    /// Sends text and returns all that comes back until the server closes.
    ///
    /// - Parameter endsInput: Whether nothing more can be sent afterwards (a half-closed connection).
    static func exchange(_ port: Int, _ text: String, endsInput: Bool = false) async throws -> String {
        let channel = try await open(port)
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            if endsInput { outbound.finish() }
            var received = ByteBuffer()
            do {
                for try await var part in inbound { received.writeBuffer(&part) }
            } catch is IOError {
                // A server that closes while bytes are on their way to it resets the connection.
            }
            return String(buffer: received)
        }
    }

    /// Sends text, and hands over what comes back as it comes; the connection is closed at the end of the body.
    static func streaming<Value: Sendable>(
        _ port: Int, _ text: String, _ body: @escaping @Sendable (ReceivedText) async throws -> Value
    ) async throws -> Value {
        let received = ReceivedText()
        return try await open(port).executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    // A server that has closed the connection may reset it.
                    do { for try await part in inbound { await received.append(String(buffer: part)) } } catch {}
                    await received.end()
                }
                let value = try await body(received)
                group.cancelAll()
                return value
            }
        }
    }

    /// Opens a connection, says nothing, and waits until the server has closed it.
    static func silence(_ port: Int) async throws { _ = try await exchange(port, "") }

    /// Sends text on a connection that nobody closes but the server.
    static func abandon(_ port: Int, _ text: String) async throws {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Sends text, waits for the beginning of an answer, and leaves the connection open.
    static func keeping(_ port: Int, _ text: String) async throws -> any Channel {
        let group = MultiThreadedEventLoopGroup.singleton
        let answered = group.next().makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerNotice(answered))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
        try await answered.futureResult.get()
        return channel
    }

    /// Sends text on a connection that reads nothing of what comes back.
    static func deaf(_ port: Int, _ text: String) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
        return channel
    }

    private static func open(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel,
                        configuration: NIOAsyncChannel.Configuration(isOutboundHalfClosureEnabled: true))
                }
            }
    }
}

/// Says that something has come in, or that nothing will.
private final class AnswerNotice: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed() }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
}

/// Text that comes in piece by piece, read by one task.
actor ReceivedText {
    private var text = ""
    private var isEnded = false
    private var reader: CheckedContinuation<Void, Never>?

    func append(_ piece: String) {
        text += piece
        wake()
    }

    func end() {
        isEnded = true
        wake()
    }

    private func wake() {
        reader?.resume()
        reader = nil
    }

    /// What comes up to that text, with it.
    func read(until end: String) async throws -> String {
        while true {
            if let range = text.firstRange(of: end) {
                defer { text.removeSubrange(..<range.upperBound) }
                return String(text[..<range.upperBound])
            }
            if isEnded { throw Ended(received: text) }
            await withCheckedContinuation { reader = $0 }
        }
    }

    /// Waits until nothing more comes.
    func waitForEnd() async {
        while !isEnded { await withCheckedContinuation { reader = $0 } }
    }

    struct Ended: Error { let received: String }
}
