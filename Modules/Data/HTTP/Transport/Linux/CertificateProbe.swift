#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOSSL
    import Synchronization
    import TrendyDomain

    /// Finds out what is wrong with the certificate of a server that was not trusted.
    ///
    /// BoringSSL says that a certificate does not hold, and AsyncHTTPClient hands on no more. So the server is asked for
    /// its certificate once again, over a connection on which nothing is sent.
    struct CertificateProbe {
        let configuration: TransportConfiguration

        /// The fault of the certificate that has made a request fail; nil where it failed for another reason.
        func fault(behind error: any Error, of request: TransportRequest) async -> CertificateFault? {
            switch (error as? NIOSSLExtraError, error as? NIOSSLError) {
            case (.failedToValidateHostname?, _), (.serverHostnameImpossibleToMatch?, _):
                return .otherHost
            case (_, .handshakeFailed?), (_, .unableToValidateCertificate?):
                // Where no certificate comes, the handshake has failed for another reason.
                guard let certificate = await certificate(of: request.url.absoluteString) else { return nil }
                let fault = self.fault(of: certificate)
                guard fault == .unknownAuthority else { return fault }
                let shown = await chain(of: request)
                // Where an intermediate has expired, it does not help to trust another authority.
                if let end = self.end(above: certificate, in: shown) { return .chainExpired(end) }
                // Nor does it where one is missing. The trusted authority has perhaps signed that one.
                return shown.count == 1 ? .unknownAuthorityOfLoneCertificate : .unknownAuthority
            default:
                return nil
            }
        }

        /// The certificates that the server shows, its own first: intermediates come with it. Empty where none came, and
        /// through a proxy, where the probe does not ask for them.
        private func chain(of request: TransportRequest) async -> [NIOSSLCertificate] {
            guard configuration.proxy == nil, let host = request.url.host else { return [] }
            let chain = PresentedChain(patience: TimeAmount(configuration.idleTimeout))
            return await chain.certificates(of: host, port: request.url.port ?? 443)
        }

        /// When an intermediate authority of this certificate expired; nil where none has.
        private func end(above certificate: NIOSSLCertificate, in shown: [NIOSSLCertificate]) -> Timestamp? {
            let now = SystemWallClock().now()
            // A certificate that signs itself counts only where it is trusted, and then it need not be shown.
            var others = shown.dropFirst().compactMap { certificate in
                certificate.names.map { (names: $0, end: certificate.end) }
            }
            others.removeAll { $0.names.isSelfSigned }
            var below = certificate.names
            while let issuer = below?.issuer {
                let issuers = others.filter { $0.names.subject.elementsEqual(issuer) }
                guard let last = issuers.max(by: { $0.end < $1.end }) else { return nil }
                if now > last.end { return last.end }
                others.removeAll { $0.names.subject.elementsEqual(issuer) }
                below = last.names
            }
            return nil
        }

        private func fault(of certificate: NIOSSLCertificate) -> CertificateFault {
            let now = SystemWallClock().now()
            let start = Timestamp(milliseconds: Int64(certificate.notValidBefore) * 1_000)
            if now > certificate.end { return .expired(certificate.end) }
            if now < start { return .notYetValid(start) }
            guard let names = certificate.names else { return .unknownAuthority }
            if names.isSelfSigned { return .selfSigned }
            // An authority that is known by its name is trusted, unless its own time is over.
            guard let end = authorities(named: names.issuer).map(\.end).max(), now > end else {
                return .unknownAuthority
            }
            return .authorityExpired(end)
        }

        /// The authorities of this name among those that a person has named.
        private func authorities(named name: ArraySlice<UInt8>) -> [NIOSSLCertificate] {
            let file = configuration.authorities.file.flatMap {
                try? CertificateFile.certificates(at: $0, from: "SSL_CERT_FILE")
            }
            return (configuration.authorities.own + (file ?? [])).map { [UInt8]($0) }
                .filter { CertificateNames(der: $0)?.subject.elementsEqual(name) == true }
                .compactMap { try? NIOSSLCertificate(bytes: $0, format: .der) }
        }

        private func certificate(of url: String) async -> NIOSSLCertificate? {
            let box = CertificateBox()
            let connections = HTTPConnections { settings(box, $0) }
            let deadline = NIODeadline.now() + TimeAmount(configuration.idleTimeout)
            _ = try? await connections.execute(HTTPClientRequest(url: url), deadline: deadline)
            return box.certificate.withLock { $0 }
        }

        /// Connections that leave the certificate they are shown, and send nothing.
        private func settings(_ box: CertificateBox, _ departures: Departures) -> HTTPClient.Configuration {
            let way = ConnectionWay(isStream: false, isTunnel: true)
            var settings = HTTPClient.Configuration(configuration, way, departures)
            settings.tlsConfiguration?.certificateVerification = .none
            settings.http1_1ConnectionDebugInitializer = { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let certificate = try pipeline.nioSSL_peerCertificate()
                    box.certificate.withLock { $0 = certificate }
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try pipeline.addHandler(SendsNothing(), position: .after(decoder))
                }
            }
            return settings
        }
    }

    extension NIOSSLCertificate {
        /// When its time is over.
        fileprivate var end: Timestamp { Timestamp(milliseconds: Int64(notValidAfter) * 1_000) }
        /// Whom it names; nil where it cannot be read.
        fileprivate var names: CertificateNames? { (try? toDERBytes()).flatMap(CertificateNames.init) }
    }

    /// Where a connection leaves the certificate that it was shown.
    private final class CertificateBox: Sendable {
        let certificate = Mutex<NIOSSLCertificate?>(nil)
    }

    /// Closes a connection as soon as something is to be sent over it.
    private final class SendsNothing: ChannelOutboundHandler {
        typealias OutboundIn = HTTPClientRequestPart

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
        }
    }
#endif
