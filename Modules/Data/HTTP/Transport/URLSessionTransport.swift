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
        private let delegate = TransferDelegate()

        /// Makes a transport with connections of its own; they are closed when it is let go.
        public init(configuration: TransportConfiguration = TransportConfiguration()) {
            self.configuration = configuration
            let settings = URLSessionConfiguration.ephemeral
            settings.httpCookieStorage = nil
            settings.httpShouldSetCookies = false
            settings.httpCookieAcceptPolicy = .never
            settings.urlCache = nil
            settings.urlCredentialStorage = nil
            settings.requestCachePolicy = .reloadIgnoringLocalCacheData
            settings.httpMaximumConnectionsPerHost = configuration.connectionsPerHost
            settings.timeoutIntervalForRequest = Self.backstop(configuration.totalTimeout)
            settings.timeoutIntervalForResource = Self.backstop(configuration.totalTimeout)
            session = URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
        }

        deinit {
            session.invalidateAndCancel()
        }

        /// Sends a request and waits for the whole answer.
        public func send(_ request: TransportRequest) async throws -> TransportResponse {
            var urlRequest = URLRequest(
                url: request.url, cachePolicy: .reloadIgnoringLocalCacheData,
                timeoutInterval: Self.backstop(configuration.totalTimeout))
            urlRequest.httpMethod = request.method.rawValue
            urlRequest.httpBody = request.body
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }

            let transfer = Transfer(task: session.dataTask(with: urlRequest), configuration: configuration)
            delegate.add(transfer)
            let watch = Task { await transfer.watchTime() }
            defer {
                watch.cancel()
                delegate.remove(transfer)
            }
            return try await transfer.run().get()
        }

        /// A timeout for URLSession that is longer than any of ours, in seconds.
        private static func backstop(_ timeout: Duration) -> Double {
            (timeout / .seconds(1)).rounded(.up) + 30
        }
    }
#endif
