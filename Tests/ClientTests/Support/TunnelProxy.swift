#if canImport(NIOSSL)
    import NIOCore
    import NIOPosix

    /// A proxy that opens a tunnel to one port of the loopback device, whatever it is asked for.
    final class TunnelProxy: Sendable {
        let port: Int
        private let channel: any Channel

        init(to target: Int) throws {
            let group = MultiThreadedEventLoopGroup.singleton
            channel = try ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(TunnelEntrance(to: target))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).wait()
            port = channel.localAddress?.port ?? 0
        }

        func stop() { channel.close(promise: nil) }
    }

    /// The client's side of a tunnel: its first message is the request for it.
    private final class TunnelEntrance: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let target: Int
        private var exit: (any Channel)?

        init(to target: Int) { self.target = target }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if let exit { return exit.writeAndFlush(Self.unwrapInboundIn(data), promise: nil) }
            let entrance = context.channel
            let opened = ClientBootstrap(group: context.eventLoop)
                .channelInitializer { exit in
                    exit.eventLoop.makeCompletedFuture {
                        try exit.pipeline.syncOperations.addHandler(TunnelExit(to: entrance))
                    }
                }
                .connect(host: "127.0.0.1", port: target)
            opened.assumeIsolated().whenSuccess { exit in
                self.exit = exit
                entrance.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), promise: nil)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { exit?.close(promise: nil) }
    }

    /// The server's side of a tunnel.
    private final class TunnelExit: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let entrance: any Channel

        init(to entrance: any Channel) { self.entrance = entrance }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            entrance.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { entrance.close(promise: nil) }
    }
#endif
