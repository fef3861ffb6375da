#if canImport(AsyncHTTPClient)
    import Foundation
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Synchronization

    /// Asks a server for all certificates that it shows, over a connection on which nothing is sent.
    ///
    /// AsyncHTTPClient hands on the server's own certificate alone, and not those of the authorities above it.
    struct PresentedChain {
        /// How long to wait for the connection, and then for the certificates.
        let patience: TimeAmount

        /// The certificates in the order in which they came, the server's own first; empty where none came.
        func certificates(of host: String, port: Int) async -> [NIOSSLCertificate] {
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.minimumTLSVersion = TLSConfiguration.oldest
            guard let context = try? NIOSSLContext(configuration: settings) else { return [] }
            let host = host.trimmingCharacters(in: ["[", "]"])
            // An address has no place in the handshake, only a name.
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            let name = isAddress ? nil : host
            let shown = ShownCertificates()
            let bootstrap = ClientBootstrap(group: HTTPConnections.loops)
                .connectTimeout(patience)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context, serverHostname: name,
                            customVerificationCallback: { certificates, verdict in
                                shown.certificates.withLock { $0 = certificates }
                                // The connection closes on that.
                                verdict.succeed(.failed)
                            })
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
            guard let channel = try? await bootstrap.connect(host: host, port: port).get() else { return [] }
            let limit = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
            await withTaskCancellationHandler {
                _ = try? await channel.closeFuture.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            limit.cancel()
            return shown.certificates.withLock { $0 }
        }
    }

    /// Where a connection leaves the certificates that it was shown.
    private final class ShownCertificates: Sendable {
        let certificates = Mutex<[NIOSSLCertificate]>([])
    }
#endif
