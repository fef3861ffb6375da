#if canImport(AsyncHTTPClient)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import Synchronization
    import TrendyDomain

    /// The transport over AsyncHTTPClient, for Linux: connections are kept and used again, nothing is tried twice.
    ///
    /// On Linux URLSession keeps a processor busy while it waits, and ends the process if a server breaks off within
    /// the head of an answer.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let configuration: TransportConfiguration
        private let client: HTTPClient
        /// Made for the first stream: what is silent for longer than a request may be needs a client of its own.
        private let streaming = Mutex<HTTPClient?>(nil)
        /// One thread for all connections of the process: a device has few, and starts more often than it waits.
        private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

        /// Makes a transport with connections of its own; they are closed when it is let go.
        public init(configuration: TransportConfiguration = TransportConfiguration()) {
            self.configuration = configuration
            client = Self.makeClient(configuration, isStreaming: false)
        }

        private static func makeClient(_ configuration: TransportConfiguration, isStreaming: Bool) -> HTTPClient {
            var settings = HTTPClient.Configuration()
            settings.redirectConfiguration = .disallow
            settings.httpVersion = .http1Only
            settings.decompression = .disabled
            settings.http1_1ConnectionDebugInitializer = ResponseStatusGuard.watch
            let idle = TimeAmount(configuration.idleTimeout)
            settings.timeout = HTTPClient.Configuration.Timeout(
                connect: idle, read: isStreaming ? nil : idle, write: idle)
            settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connectionsPerHost
            settings.connectionPool.retryConnectionEstablishment = false
            return HTTPClient(eventLoopGroupProvider: .shared(Self.loops), configuration: settings)
        }

        deinit {
            client.shutdown { _ in }
            streaming.withLock { $0?.shutdown { _ in } }
        }

        /// Sends a request and waits for the whole answer.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            do {
                let deadline = NIODeadline.now() + TimeAmount(configuration.totalTimeout)
                let answer = try await client.execute(Self.outgoing(request), deadline: deadline)
                var response = Self.head(of: answer)
                response.body = try await body(of: answer, until: deadline)
                return response
            } catch {
                throw APIError(asyncHTTPClient: error)
            }
        }

        /// Sends a request, and hands its answer over as it comes.
        public func stream(
            _ request: TransportRequest, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
        ) async throws {
            let client = streaming.withLock { client in
                let present = client ?? Self.makeClient(configuration, isStreaming: true)
                client = present
                return present
            }
            do {
                let deadline = NIODeadline.now() + TimeAmount(configuration.totalTimeout)
                let answer = try await client.execute(Self.outgoing(request), deadline: deadline)
                try receive(.head(Self.head(of: answer)))
                for try await piece in answer.body { try receive(.body(Data(piece.readableBytesView))) }
            } catch {
                throw APIError(asyncHTTPClient: error)
            }
        }

        private static func outgoing(_ request: TransportRequest) -> HTTPClientRequest {
            var outgoing = HTTPClientRequest(url: request.url.absoluteString)
            outgoing.method = .RAW(value: request.method.rawValue)
            for (name, value) in request.headers { outgoing.headers.replaceOrAdd(name: name, value: value) }
            if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
            return outgoing
        }

        private static func head(of answer: HTTPClientResponse) -> TransportResponse {
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

    extension TimeAmount {
        fileprivate init(_ duration: Duration) {
            let (seconds, attoseconds) = duration.components
            self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
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
            case let error as NIOConnectionError: self = .connection(Self.reason(error))
            case ChannelError.connectTimeout: self = .timeout
            case let error as IOError where error.errnoCode == ECONNREFUSED: self = .connection(Self.nothingThere)
            case is IOError, is ChannelError: self = .connection("the connection broke")
            default: self = .connection(TLSFailure.reason("\(error)"))
            }
        }

        private init(_ error: HTTPClientError) {
            switch error {
            case .cancelled: self = .cancelled
            case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .getConnectionFromPoolTimeout,
                .tlsHandshakeTimeout:
                self = .timeout
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
    }
#endif
