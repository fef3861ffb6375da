import NIOCore
import NIOHTTP1
import TrendyDomain

/// Ends a connection when its time has come: after the last answer, when the client is silent for too long, or
/// when the server stops. It answers what is no request, and tells clients that wait for it to send their bodies.
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

    /// How many bytes of a body have to come in a second, beyond the time for which a client may be silent.
    private static let leastRate = 4096.0

    private let timeouts: ConnectionTimeouts
    private let ids: any IdentifierGenerator
    private let onStop: @Sendable () -> Void
    /// Whether a request has begun that has not ended.
    private var isReading = false
    /// When the request that is being read began, and how much of its body has come.
    private var reading = (since: NIODeadline.uptimeNanoseconds(0), bytes: 0)
    /// Requests that have begun and are not answered.
    private var unanswered = 0
    /// Answers after which the connection is closed; nil for no end.
    private var answersLeft: Int?
    /// Whether what still comes in is thrown away.
    private var isLingering = false
    /// Whether the request that is being read waits for a word before it sends its body (RFC 9110, section 10.1.1).
    private var awaitsContinue = false
    /// What is to be answered after the requests before it, because it was none.
    private var framingProblem: ServerProblem?
    /// Whether an answer is under way that ends only when one side wants it.
    private var isStreaming = false
    private var timer: Scheduled<Void>?
    private var deadline: Scheduled<Void>?
    /// Ends the connection where the client takes nothing of an answer.
    private var stall: Scheduled<Void>?

    /// - Parameters:
    ///   - answers: Answers after which the connection is closed; nil for no end.
    ///   - onStop: Called when the server stops.
    init(
        _ timeouts: ConnectionTimeouts, ids: any IdentifierGenerator, answers: Int? = nil,
        onStop: @escaping @Sendable () -> Void
    ) {
        self.timeouts = timeouts
        self.ids = ids
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

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = context.channel.isWritable ? nil : close(after: timeouts.reading, context)
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isLingering || framingProblem != nil { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            isReading = true
            reading = (context.eventLoop.now, 0)
            unanswered += 1
            awaitsContinue =
                (head.version.major, head.version.minor) >= (1, 1)
                && head.headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
            if !head.isKeepAlive {
                // Hummingbird looks for this very word, and knows no HTTP/1.0.
                head.headers.replaceOrAdd(name: "Connection", value: "close")
                answersLeft = answersLeft ?? unanswered
            }
            wait(timeouts.reading, context)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let piece):
            awaitsContinue = false
            reading.bytes += piece.readableBytes
            wait(timeForBody(context), context)
            context.fireChannelRead(data)
        case .end:
            isReading = false
            awaitsContinue = false
            timer?.cancel()
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Who has closed his side in the middle of a request has said nothing that could be answered.
        guard let error = error as? HTTPParserError, error != .invalidEOFState, !isReading, !isLingering else {
            if unanswered > 0 { answersLeft = answersLeft ?? unanswered }
            context.fireErrorCaught(error)
            return
        }
        guard framingProblem == nil, answersLeft.map({ $0 > unanswered }) ?? true else { return }
        framingProblem = FramingProblem.problem(error)
        if unanswered == 0 { answerFraming(context) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        promise?.succeed()
        guard awaitsContinue else { return }
        awaitsContinue = false
        context.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isStreaming = head.headers.first(name: "Content-Type") == "text/event-stream"
            // What is too large is not read only to be thrown away.
            // Nor is a body that was not asked for: whether it comes, nobody knows.
            if head.status == .payloadTooLarge || awaitsContinue, isReading, unanswered == 1 { answersLeft = 1 }
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
        if framingProblem != nil, unanswered == 0 {
            context.write(data, promise: promise)
            answerFraming(context)
            return
        }
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

    /// Answers what was no request, and closes the connection: where the next one begins, nobody knows.
    private func answerFraming(_ context: ChannelHandlerContext) {
        guard let problem = framingProblem else { return }
        let parts = FramingProblem.answer(problem, requestId: ids.makeId(), allocator: context.channel.allocator)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in beginLingering(context) }
        for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    private func beginLingering(_ context: ChannelHandlerContext) {
        isLingering = true
        wait(Self.linger, context)
        context.close(mode: .output, promise: nil)
        context.read()
    }

    /// How many seconds the next bytes of the body may take. A client that sends a few bytes now and then would keep a
    /// connection, and what is held of its body, for as long as it likes.
    private func timeForBody(_ context: ChannelHandlerContext) -> Double {
        let taken = Double((context.eventLoop.now - reading.since).nanoseconds) / 1e9
        let left = timeouts.reading + Double(reading.bytes) / Self.leastRate - taken
        return min(timeouts.reading, max(0, left))
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
        stall?.cancel()
    }
}

/// Told to a connection when the body of its request is about to be read.
struct BodyWanted: Sendable {}
