#if canImport(Darwin)
    import Foundation
    import TrendyDomain

    /// The transport over URLSession: connections are kept and used again; no cookies, no cache, no stored passwords.
    ///
    /// It measures its own times, so that they mean the same as with the transport of Linux.
    ///
    /// It exists on Apple's systems alone: Docs/decisions/0010 says why.
    public final class URLSessionTransport: HTTPTransport {
        private let configuration: TransportConfiguration
        private let session: URLSession
        /// For answers that may last for ever.
        private let streams: URLSession
        private let delegate: TransferDelegate

        /// Makes a transport with connections of its own; they are closed when it is let go.
        public init(configuration: TransportConfiguration = TransportConfiguration()) {
            self.configuration = configuration
            delegate = TransferDelegate(configuration)
            let settings = URLSessionConfiguration.ephemeral
            settings.httpCookieStorage = nil
            settings.httpShouldSetCookies = false
            settings.httpCookieAcceptPolicy = .never
            settings.urlCache = nil
            settings.urlCredentialStorage = nil
            settings.requestCachePolicy = .reloadIgnoringLocalCacheData
            settings.connectionProxyDictionary = configuration.proxy?.dictionary
            settings.httpMaximumConnectionsPerHost = configuration.connectionsPerHost
            settings.timeoutIntervalForRequest = Self.backstop(configuration.totalTimeout)
            settings.timeoutIntervalForResource = Self.backstop(configuration.totalTimeout)
            session = URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
            settings.timeoutIntervalForResource = Self.longestStream
            streams = URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
        }

        deinit {
            session.invalidateAndCancel()
            streams.invalidateAndCancel()
        }

        /// Sends a request and waits for the whole answer.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            var urlRequest = URLRequest(
                url: request.url, cachePolicy: .reloadIgnoringLocalCacheData,
                timeoutInterval: Self.backstop(configuration.totalTimeout))
            urlRequest.httpMethod = request.method.rawValue
            urlRequest.httpBody = request.body
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }

            let transfer = Transfer(
                task: session.dataTask(with: urlRequest), configuration: configuration,
                totalTimeout: configuration.totalTimeout(of: request))
            delegate.add(transfer)
            let watch = Task { await transfer.watchTime() }
            defer {
                watch.cancel()
                delegate.remove(transfer)
            }
            return try await transfer.run().get()
        }

        /// Sends a request, and hands its answer over as it comes, line by line.
        public func stream(
            _ request: TransportRequest, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
        ) async throws {
            var urlRequest = URLRequest(
                url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.longestSilence)
            urlRequest.httpMethod = request.method.rawValue
            urlRequest.httpBody = request.body
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
            do {
                let (bytes, response) = try await streams.bytes(for: urlRequest)
                guard let head = response as? HTTPURLResponse else { throw APIError.connection("there was no answer") }
                try receive(.head(TransportResponse(head, body: Data())))
                var line = Data()
                for try await byte in bytes {
                    line.append(byte)
                    guard byte == UInt8(ascii: "\n") || line.count >= Self.longestPiece else { continue }
                    try receive(.body(line))
                    line.removeAll(keepingCapacity: true)
                }
                if !line.isEmpty { try receive(.body(line)) }
            } catch let error as APIError {
                throw error
            } catch {
                throw APIError(transport: error)
            }
        }

        /// Seconds for which a stream may last: a week, as URLSession has it.
        private static let longestStream = 7 * 86_400.0
        /// Seconds for which a stream may be silent; whoever reads it looks at its silence earlier.
        private static let longestSilence = 120.0
        /// Bytes that are handed over although their line has not ended.
        private static let longestPiece = 1 << 12

        /// A timeout for URLSession that is longer than any of ours, in seconds.
        private static func backstop(_ timeout: Duration) -> Double {
            (timeout / .seconds(1)).rounded(.up) + 30
        }
    }
#endif
