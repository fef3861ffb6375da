#if canImport(AsyncHTTPClient)
    import NIOCore
    import NIOHTTP1

    /// Notes which requests begin to leave, and ends one with ``DeadConnection`` where its connection was used before,
    /// and breaks before a byte of the answer has come. Once a byte of the answer has come, a failure to write the rest of
    /// the request ends nothing.
    ///
    /// It stands before what reads answers, so that it sees each byte.
    final class ReuseWatch: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        private let patience: Duration
        private let departures: Departures
        /// The request that is written at the moment, until its body begins to leave.
        private var waiting: String?
        private var requests = 0
        private var isUnanswered = false

        /// - Parameters:
        ///   - patience: How long a server may be silent.
        ///   - departures: Is told which requests begin to leave.
        init(patience: Duration, _ departures: Departures) { (self.patience, self.departures) = (patience, departures) }

        private var isDead: Bool { requests > 1 && isUnanswered }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            var data = data
            if case .head(var head) = Self.unwrapOutboundIn(data) {
                requests += 1
                isUnanswered = true
                if requests == 2 { Self.noticeSilence(of: context.channel, within: patience * 2 / 3) }
                waiting = head.headers.first(name: Departures.mark)
                head.headers.remove(name: Departures.mark)
                data = Self.wrapOutboundOut(.head(head))
            } else if let name = waiting {
                departures.begin(name)
                waiting = nil
            }
            guard let promise else { return context.write(data, promise: nil) }
            // A write that fails ends the request before the connection is known to have broken.
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { result in
                switch result {
                case .success: promise.succeed()
                // A server answers 413 to a body that is too large, and closes the connection before it has read the body.
                case .failure where !self.isUnanswered: promise.succeed()
                case .failure(let error): promise.fail(self.isDead ? DeadConnection() : error)
                }
            }
            context.write(data, promise: written)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isUnanswered = false
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.fireErrorCaught(isDead ? DeadConnection() : error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            // AsyncHTTPClient has one error for this, and for a connection that was closed before anything was sent.
            if isUnanswered { context.fireErrorCaught(isDead ? DeadConnection() : ChannelError.eof) }
            context.fireChannelInactive()
        }

        /// Breaks the connection where nothing of what is sent arrives for so long.
        ///
        /// A router forgets a connection that nobody uses, and drops what comes over it without a word. A server that
        /// is slow is not meant: its system confirms what has arrived.
        private static func noticeSilence(of channel: any Channel, within limit: Duration) {
            let userTimeout = NIOBSDSocket.Option(rawValue: 18)
            let option = ChannelOptions.Types.SocketOption(level: .tcp, name: userTimeout)
            let milliseconds = SocketOptionValue(TimeAmount(limit).nanoseconds / 1_000_000)
            channel.setOption(option, value: milliseconds).whenComplete { _ in }
        }
    }

    /// A connection was used before, and broke before a byte of the answer came: the request may have arrived, and
    /// nothing is known of the server.
    struct DeadConnection: Error {}

    /// Not a byte of the request's body was sent, or of a request without one: no connection was made, or it was closed
    /// before that.
    struct UnsentRequest: Error {
        /// Why not.
        let cause: any Error
        /// Whether there was a connection: another one may not be closed.
        let isOfClosedConnection: Bool
    }
#endif
