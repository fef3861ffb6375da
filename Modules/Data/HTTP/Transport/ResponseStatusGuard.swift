#if canImport(AsyncHTTPClient)
    import NIOCore
    import NIOHTTP1

    /// Ends a connection whose answer has a status below 100, as `HTTP/1.1 000 OK`.
    ///
    /// AsyncHTTPClient takes such a head for a preliminary one, and the whole process ends where a body follows it.
    final class ResponseStatusGuard: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart

        private var isBroken = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // What follows has no head.
            if isBroken { return }
            if case .head(let head) = Self.unwrapInboundIn(data), head.status.code < 100 {
                isBroken = true
                context.fireErrorCaught(HTTPParserError.invalidStatus)
            } else {
                context.fireChannelRead(data)
            }
        }

        /// Puts a guard behind what reads the answers of a new connection.
        @Sendable
        static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(ResponseStatusGuard(), position: .after(decoder))
            }
        }
    }
#endif
