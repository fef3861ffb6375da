#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import Synchronization

    /// Connections that are kept and used again; they are closed as soon as nobody has the object any more.
    final class HTTPConnections: Sendable {
        private let client: HTTPClient
        private let departures = Departures()
        private let isUsed = Mutex(false)

        init(_ settings: (Departures) -> HTTPClient.Configuration) {
            client = HTTPClient(eventLoopGroupProvider: .shared(Self.loops), configuration: settings(departures))
        }

        deinit { client.shutdown { _ in } }

        /// Whether there may be connections that were used before: a server may have closed them.
        var areUsed: Bool { isUsed.withLock { $0 } }

        /// Sends a request and waits for the head of its answer.
        ///
        /// - Throws: ``UnsentRequest``, ``DeadConnection``, or an error of AsyncHTTPClient and what is below it.
        func execute(_ request: HTTPClientRequest, deadline: NIODeadline) async throws -> HTTPClientResponse {
            let name = departures.add()
            defer { departures.end(name) }
            var request = request
            request.headers.replaceOrAdd(name: Departures.mark, value: name)
            do {
                let answer = try await client.execute(request, deadline: deadline)
                isUsed.withLock { $0 = true }
                return answer
            } catch {
                throw departures.end(name) || Self.isFromOutside(error)
                    ? error : UnsentRequest(cause: error, isOfClosedConnection: Self.isClosed(error))
            }
        }

        /// Whether an error comes from beside the connection, which may take up the request at the same moment.
        private static func isFromOutside(_ error: any Error) -> Bool {
            let ending = error as? HTTPClientError
            return error is CancellationError || ending == .cancelled || ending == .deadlineExceeded
        }

        /// Whether an error says that the connection is closed, and not why no connection was made.
        private static func isClosed(_ error: any Error) -> Bool {
            let isOfChannel = [.ioOnClosedChannel, .eof].contains(error as? ChannelError)
            return isOfChannel || error as? HTTPClientError == .remoteConnectionClosed || error is DeadConnection
        }

        /// One thread for all connections of the process: a device has few, and starts more often than it waits.
        static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// The present connections, and new ones in place of those that turn out to be dead.
    final class RenewableConnections: Sendable {
        private let settings: @Sendable (Departures) -> HTTPClient.Configuration
        private let present = Mutex<HTTPConnections?>(nil)

        init(_ settings: @escaping @Sendable (Departures) -> HTTPClient.Configuration) { self.settings = settings }

        /// The connections for a request. One that must not be sent twice gets fresh ones where the present ones were
        /// used, because they may be dead (RFC 9112, section 9.3.1).
        func connections(for request: TransportRequest) -> HTTPConnections {
            present.withLock { present in
                if let known = present, request.isRepeatable || !known.areUsed { return known }
                return renew(&present)
            }
        }

        /// Fresh connections in place of these, among which one was dead: the others are as old.
        func successor(of dead: HTTPConnections) -> HTTPConnections {
            present.withLock { present in
                if let known = present, known !== dead { return known }
                return renew(&present)
            }
        }

        private func renew(_ present: inout HTTPConnections?) -> HTTPConnections {
            let fresh = HTTPConnections(settings)
            present = fresh
            return fresh
        }
    }

    /// What requests need connections of their own for.
    struct ConnectionWay: Hashable, CaseIterable {
        /// Whether an answer may be silent for longer than a request may be.
        var isStream: Bool
        /// Whether a proxy passes on bytes that it does not read.
        var isTunnel: Bool

        static let allCases = [false, true].flatMap { isStream in
            [false, true].map { ConnectionWay(isStream: isStream, isTunnel: $0) }
        }
    }

    extension HTTPClient.Configuration {
        /// What the connections of a transport have in common that go one way.
        ///
        /// - Parameter departures: Is told which requests begin to leave.
        init(_ configuration: TransportConfiguration, _ way: ConnectionWay, _ departures: Departures) {
            self.init()
            redirectConfiguration = .disallow
            httpVersion = .http1Only
            decompression = .disabled
            let idle = TimeAmount(configuration.idleTimeout)
            timeout = Timeout(connect: idle, read: way.isStream ? nil : idle, write: idle)
            connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerHost
            connectionPool.retryConnectionEstablishment = false
            tlsConfiguration = .makeClientConfiguration(configuration.authorities)
            if way.isTunnel { proxy = configuration.proxy.map(Proxy.init) }
            let patience = configuration.idleTimeout
            let authorization = configuration.proxy?.authorization
            http1_1ConnectionDebugInitializer = { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try pipeline.addHandler(ReuseWatch(patience: patience, departures), position: .before(decoder))
                    let behind: [any ChannelHandler] = [ResponseStatusGuard(), ProxyForm(authorization: authorization)]
                    try pipeline.addHandlers(behind, position: .after(decoder))
                }
            }
        }
    }

    extension HTTPClient.Configuration.Proxy {
        fileprivate init(_ proxy: TrendyData.Proxy) {
            switch proxy.kind {
            case .socks5: self = .socksServer(host: proxy.host, port: proxy.port)
            case .http:
                let authorization = proxy.user.map {
                    HTTPClient.Authorization.basic(username: $0, password: proxy.password?.value ?? "")
                }
                self = .server(host: proxy.host, port: proxy.port, authorization: authorization)
            }
        }
    }

    extension TLSConfiguration {
        /// The oldest version of TLS that is spoken: RFC 8996 deprecates 1.0 and 1.1.
        static let oldest = TLSVersion.tlsv12

        /// Trusts these authorities.
        fileprivate static func makeClientConfiguration(_ authorities: CertificateAuthorities) -> TLSConfiguration {
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.minimumTLSVersion = oldest
            let own = authorities.own.compactMap { try? NIOSSLCertificate(bytes: Array($0), format: .der) }
            if !own.isEmpty { settings.additionalTrustRoots.append(.certificates(own)) }
            let named = authorities.folders + [authorities.file].compactMap(\.self)
            if let first = named.first { settings.trustRoots = .file(first) }
            settings.additionalTrustRoots += named.dropFirst().map { .file($0) }
            return settings
        }
    }

    extension TimeAmount {
        init(_ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }
    }
#endif
