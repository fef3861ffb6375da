import NIOCore
import NIOHTTP1

/// Ends a connection when its time has come: after the last answer, when the client is silent for too long, or
/// when the server stops.
///
/// It sits where HTTP versions and framing are still known, beneath Hummingbird's own types.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Seconds for which the rest of an unwanted request is thrown away, so that the client reads the answer
    /// before it meets a closed connection (RFC 9112, section 9.6).
    private static let linger = 2.0

    private let timeouts: ConnectionTimeouts
    private let onStop: @Sendable () -> Void
    /// Whether a request has begun that has not ended.
    private var isReading = false
    /// Requests that have begun and are not answered.
    private var unanswered = 0
    /// Answers after which the connection is closed; nil for no end.
    private var answersLeft: Int?
    /// Whether what still comes in is thrown away.
    private var isLingering = false
    /// Whether an answer is under way that ends only when one side wants it.
    private var isStreaming = false
    private var timer: Scheduled<Void>?
    private var deadline: Scheduled<Void>?

    /// - Parameters:
    ///   - answers: Answers after which the connection is closed; nil for no end.
    ///   - onStop: Called when the server stops.
    init(_ timeouts: ConnectionTimeouts, answers: Int? = nil, onStop: @escaping @Sendable () -> Void) {
        self.timeouts = timeouts
        self.onStop = onStop
        answersLeft = answers
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { wait(timeouts.reading, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        wait(timeouts.reading, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isLingering { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            isReading = true
            unanswered += 1
            if !head.isKeepAlive {
                // Hummingbird looks for this very word, and knows no HTTP/1.0.
                head.headers.replaceOrAdd(name: "Connection", value: "close")
                answersLeft = answersLeft ?? unanswered
            }
            wait(timeouts.reading, context)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body:
            wait(timeouts.reading, context)
            context.fireChannelRead(data)
        case .end:
            isReading = false
            timer?.cancel()
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if unanswered > 0 { answersLeft = answersLeft ?? unanswered }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isStreaming = head.headers.first(name: "Content-Type") == "text/event-stream"
            // What is too large is not read only to be thrown away.
            if head.status == .payloadTooLarge, isReading, unanswered == 1 { answersLeft = 1 }
            if answersLeft == 1 { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            answered(context, data, promise)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Who has closed his side may still wait for an answer, but not for one without an end.
        if isStreaming, event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        if event is ChannelShouldQuiesceEvent {
            if unanswered > 0 { answersLeft = answersLeft ?? unanswered }
            deadline = close(after: timeouts.shutdown, context)
            onStop()
        }
        context.fireUserInboundEventTriggered(event)
    }
}

extension ConnectionHandler {
    private func answered(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        unanswered = max(0, unanswered - 1)
        answersLeft = answersLeft.map { $0 - 1 }
        guard answersLeft == 0 else {
            if unanswered == 0 { wait(isReading ? timeouts.reading : timeouts.keepAlive, context) }
            context.write(data, promise: promise)
            return
        }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            if isReading { beginLingering(context) } else { context.close(promise: nil) }
        }
        context.writeAndFlush(data, promise: written)
    }

    private func beginLingering(_ context: ChannelHandlerContext) {
        isLingering = true
        wait(Self.linger, context)
        context.close(mode: .output, promise: nil)
        context.read()
    }

    /// Closes the connection unless something happens within so many seconds.
    private func wait(_ seconds: Double, _ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = close(after: seconds, context)
    }

    private func close(after seconds: Double, _ context: ChannelHandlerContext) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) {
            context.close(promise: nil)
        }
    }

    private func cancel() {
        timer?.cancel()
        deadline?.cancel()
    }
}
