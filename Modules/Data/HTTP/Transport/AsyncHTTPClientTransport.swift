#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import TrendyDomain

    /// The transport over AsyncHTTPClient, for Linux: connections are kept and used again.
    ///
    /// A request is sent once. The exception is one that may be repeated, over a connection that was used before and
    /// turns out to be dead: it goes once more, over a fresh one (RFC 9112, section 9.3.1).
    ///
    /// On Linux URLSession keeps a processor busy while it waits, and ends the process if a server breaks off within
    /// the head of an answer.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let configuration: TransportConfiguration
        private let connections: [ConnectionWay: RenewableConnections]

        /// Makes a transport with connections of its own; they are closed when it is let go.
        public init(configuration: TransportConfiguration = TransportConfiguration()) {
            self.configuration = configuration
            connections = Dictionary(
                uniqueKeysWithValues: ConnectionWay.allCases.map { way in
                    (way, RenewableConnections { HTTPClient.Configuration(configuration, way, $0) })
                })
        }

        /// Sends a request and waits for the whole answer.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            do {
                let deadline = NIODeadline.now() + TimeAmount(configuration.totalTimeout(of: request))
                let (answer, mayHaveArrived) = try await overLivingConnection(request, isStream: false) {
                    [self] connections, outgoing in
                    let answer = try await connections.execute(outgoing, deadline: deadline)
                    var response = try head(of: answer, to: request)
                    response.body = try await body(of: answer, until: deadline)
                    return response
                }
                var response = answer
                response.mayHaveArrivedBefore = mayHaveArrived
                return response
            } catch {
                throw await failure(error, of: request)
            }
        }

        /// Sends a request, and hands its answer over as it comes.
        public func stream(
            _ request: TransportRequest, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
        ) async throws {
            do {
                let deadline = NIODeadline.now() + TimeAmount(configuration.totalTimeout(of: request))
                _ = try await overLivingConnection(request, isStream: true) { [self] connections, outgoing in
                    let answer = try await connections.execute(outgoing, deadline: deadline)
                    try receive(.head(head(of: answer, to: request)))
                    for try await piece in answer.body { try receive(.body(Data(piece.readableBytesView))) }
                }
            } catch {
                throw await failure(error, of: request)
            }
        }

        /// Does the work over the present connections, and once more over a fresh one where the first was dead.
        ///
        /// - Returns: What the work returns, and whether the request may have arrived before over the dead connection.
        private func overLivingConnection<Answer>(
            _ request: TransportRequest, isStream: Bool,
            _ work: (HTTPConnections, HTTPClientRequest) async throws -> Answer
        ) async throws -> (Answer, mayHaveArrived: Bool) {
            let (outgoing, isTunnel) = outgoing(request)
            guard let connections = connections[ConnectionWay(isStream: isStream, isTunnel: isTunnel)] else {
                throw APIError.connection("there are no connections of that kind")
            }
            let present = connections.connections(for: request)
            let wasUsed = present.areUsed
            do {
                return (try await work(present, outgoing), false)
            } catch let error as UnsentRequest where error.isOfClosedConnection && wasUsed {
                return (try await work(connections.successor(of: present), outgoing), false)
            } catch  where error is DeadConnection && request.isRepeatable {
                do { return (try await work(connections.successor(of: present), outgoing), true) } catch {
                    // Where the repetition has not left, the first request may still have arrived.
                    throw await failure(error, of: request).asRepetition
                }
            }
        }

        /// The request as it is handed to a client, and whether a proxy opens a tunnel for it.
        private func outgoing(_ request: TransportRequest) -> (HTTPClientRequest, isTunnel: Bool) {
            let proxied = proxied(request.url)
            var outgoing = HTTPClientRequest(url: proxied?.url ?? request.url.absoluteString)
            outgoing.method = .RAW(value: request.method.rawValue)
            for (name, value) in request.headers { outgoing.headers.replaceOrAdd(name: name, value: value) }
            if let proxied { outgoing.headers.replaceOrAdd(name: ProxyForm.mark, value: proxied.server) }
            if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
            return (outgoing, proxied == nil)
        }

        /// Where a request to an http server goes, and the server that the proxy is told; nil where no HTTP proxy
        /// carries such requests.
        private func proxied(_ url: URL) -> (url: String, server: String)? {
            guard let proxy = configuration.proxy, proxy.kind == .http, url.scheme?.lowercased() == "http",
                let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.encodedHost
            else { return nil }
            let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
            let place = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
            return (
                "http://\(place):\(proxy.port)\(parts.percentEncodedPath)\(query)",
                host + (parts.port.map { ":\($0)" } ?? "")
            )
        }

        private func head(of answer: HTTPClientResponse, to request: TransportRequest) throws -> TransportResponse {
            if answer.status == .proxyAuthenticationRequired, let proxy = configuration.proxy {
                throw APIError.notSent(proxy.needsUser)
            }
            let headers = answer.headers.map { ($0.name.lowercased(), $0.value) }
            return TransportResponse(status: Int(answer.status.code), headers: Dictionary(headers) { $1 })
        }

        /// The whole body, which is given up as soon as it is known to be too large.
        ///
        /// The client watches the deadline up to the head of the answer, and silence after it. A body that comes drop
        /// by drop is measured here.
        private func body(of answer: HTTPClientResponse, until deadline: NIODeadline) async throws -> Data {
            let limit = configuration.maximumResponseBytes
            let tooLarge = APIError.answerTooLarge(limit: limit)
            if let length = answer.headers.first(name: "Content-Length").flatMap({ Int($0) }), length > limit {
                throw tooLarge
            }
            var body = Data()
            for try await piece in answer.body {
                guard NIODeadline.now() < deadline else { throw APIError.timeout }
                guard body.count + piece.readableBytes <= limit else { throw tooLarge }
                body.append(contentsOf: piece.readableBytesView)
            }
            return body
        }
    }

    extension AsyncHTTPClientTransport {
        /// What a failure means for the request.
        private func failure(_ error: any Error, of request: TransportRequest) async -> APIError {
            let unsent = error as? UnsentRequest
            let cause = unsent?.cause ?? error
            if let fault = await CertificateProbe(configuration: configuration).fault(behind: cause, of: request) {
                return .untrusted(fault)
            }
            let failure = APIError(asyncHTTPClient: cause)
            if unsent == nil { return failure }
            if let reason = configuration.proxy?.reason(for: cause) { return .notSent(reason) }
            if case .connection(let reason) = failure { return .notSent(reason) }
            return failure
        }
    }

    extension Proxy {
        /// What the proxy has to do with a request that has not left; nil where that is nothing, as where TLS fails
        /// with the server at the end of the tunnel.
        fileprivate func reason(for error: any Error) -> String? {
            if error is NIOConnectionError || (error as? IOError)?.errnoCode == ECONNREFUSED {
                return "the proxy \(self) cannot be reached"
            }
            if error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError { return nil }
            switch error as? HTTPClientError {
            case .proxyAuthenticationRequired?: return needsUser
            case .connectTimeout?, .getConnectionFromPoolTimeout?, .httpProxyHandshakeTimeout?, .socksHandshakeTimeout?:
                return "no connection was made in time through the proxy \(self)"
            // What a proxy of SOCKS says or breaks off, and what is no HTTP, has other errors.
            case nil, .invalidProxyResponse?, .remoteConnectionClosed?:
                return "the proxy \(self) does not connect to the server"
            default: return nil
            }
        }

        fileprivate var needsUser: String {
            user == nil
                ? "the proxy \(self) asks for a user and a password, as in http://USER:PASSWORD@\(host):\(port)"
                : "the proxy \(self) does not accept the user and the password that it was given"
        }
    }

    extension URLComponents {
        /// The host as it stands in an address, an IPv6 address in brackets.
        fileprivate var encodedHost: String? {
            percentEncodedHost.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
        }
    }

    extension APIError {
        /// What a failure of AsyncHTTPClient means.
        fileprivate init(asyncHTTPClient error: any Error) {
            switch error {
            case let error as APIError: self = error
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error)
            case HTTPParserError.invalidEOFState: self = .connection("the connection broke")
            case is HTTPParserError: self = .malformedResponse("what came is no HTTP")
            case let error as NIOConnectionError: self = .notSent(Self.reason(error))
            case ChannelError.connectTimeout: self = .notSent(Self.slow)
            case let error as IOError where error.errnoCode == ECONNREFUSED: self = .notSent(Self.nothingThere)
            case is IOError, is ChannelError, is DeadConnection: self = .connection("the connection broke")
            case NIOSSLError.handshakeFailed, is NIOSSLExtraError: self = .notSent(TLSFailure.reason("\(error)"))
            default:
                let reason = TLSFailure.reason("\(error)")
                // The server has broken the handshake off, and reads nothing of what came with it.
                self = reason == TLSFailure.clientCertificate ? .notSent(reason) : .connection(reason)
            }
        }

        private init(_ error: HTTPClientError) {
            switch error {
            case .cancelled: self = .cancelled
            case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout: self = .notSent(Self.slow)
            case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timeout
            case .remoteConnectionClosed: self = .connection("the connection broke")
            default: self = .connection(error.shortDescription)
            }
        }

        private static func reason(_ error: NIOConnectionError) -> String {
            if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
                return "the host is not known"
            }
            return nothingThere
        }

        private static let nothingThere = "nothing answers at that address"
        private static let slow = "no connection was made in time"
    }
#endif
