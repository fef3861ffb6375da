import Foundation
import TrendyDomain

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport over URLSession: connections are kept and used again; no cookies, no cache, no stored passwords.
///
/// It measures its own times, because URLSession on Linux counts them in whole seconds and has no
/// limit for a request as a whole.
///
/// It is the standard transport of Apple's systems. On Linux, URLSession ends the process where a server closes
/// the connection between the status line and the end of the head, and keeps a processor busy while it waits.
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

    /// A time for URLSession's own clocks at which ours have long struck, in seconds.
    private static func backstop(_ timeout: Duration) -> Double {
        (timeout / .seconds(1)).rounded(.up) + 30
    }
}
