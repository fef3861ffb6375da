#if canImport(NIOSSL)
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Synchronization

    /// A server of TLS on the loopback device, which answers each request with an empty list.
    final class TLSServer: Sendable {
        let port: Int
        private let channel: any Channel

        /// How many pieces of requests came through.
        var requestCount: Int { received.count.withLock { $0 } }
        private let received = Received()

        /// - Parameter certificate: The certificate to show, as PEM; its key is that of the tests.
        init(showing certificate: String) async throws {
            var settings = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(TestCertificates.key.utf8), format: .pem)))
            settings.applicationProtocols = ["http/1.1"]
            let context = try NIOSSLContext(configuration: settings)
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { [received] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([
                            NIOSSLServerHandler(context: context), EmptyList(received),
                        ])
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            port = channel.localAddress?.port ?? 0
        }

        func stop() { channel.close(promise: nil) }
    }

    private final class Received: Sendable {
        let count = Mutex(0)
    }

    private final class EmptyList: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let received: Received

        init(_ received: Received) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.count.withLock { $0 += 1 }
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
            context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }
#endif
