#if canImport(NIOSSL)
    import NIOCore
    import NIOPosix

    /// A proxy that answers each message with the next of its replies, and closes the connection where it has none left.
    final class ScriptedProxy: Sendable {
        let port: Int
        private let channel: any Channel

        init(_ replies: [[UInt8]]) throws {
            channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ScriptedReplies(replies))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).wait()
            port = channel.localAddress?.port ?? 0
        }

        func stop() { channel.close(promise: nil) }
    }

    private final class ScriptedReplies: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var replies: ArraySlice<[UInt8]>

        init(_ replies: [[UInt8]]) { self.replies = replies[...] }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let reply = replies.popFirst() else { return context.close(promise: nil) }
            context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(bytes: reply)), promise: nil)
        }
    }
#endif
