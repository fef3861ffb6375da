public import Foundation

/// Carries one request to a server and brings its answer back: the seam between the client and the network.
public protocol HTTPTransport: Sendable {
    /// Sends the request. It follows no redirects and tries nothing again, but for a repeatable request
    /// (``TransportRequest/isRepeatable``) over a kept connection that turns out to be dead before a byte of the answer
    /// has come: it goes once more over a fresh one.
    ///
    /// - Throws: `APIError` (connection, timeout, cancelled, malformedResponse) where there is no whole
    ///   answer; any status is an answer.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Sends the request as ``send(_:)`` does, and hands its answer over as it comes, until it ends or the task is cancelled.
    ///
    /// The head must come within the time of a whole request. After it the answer may last for ever, and may be silent
    /// for as long as the caller bears. A transport without this method sends nothing, and reports 404.
    ///
    /// - Parameter receive: Told the head first, then the pieces of the body. What it throws ends the request.
    /// - Throws: What `receive` throws, or `APIError` as ``send(_:)``.
    func stream(
        _ request: TransportRequest, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
    ) async throws
}

extension HTTPTransport {
    /// Reports 404, without asking.
    public func stream(
        _ request: TransportRequest, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
    ) async throws {
        try receive(.head(TransportResponse(status: 404)))
    }
}

/// A part of an answer that is handed over as it comes.
public enum StreamedResponse: Sendable, Hashable {
    /// Status and header fields; the body is empty.
    case head(TransportResponse)
    /// A piece of the body.
    case body(Data)
}

/// A method of HTTP.
public enum HTTPMethod: String, Sendable, Hashable {
    /// Reads.
    case get = "GET"
    /// Makes something new.
    case post = "POST"
    /// Replaces a whole.
    case put = "PUT"
    /// Changes fields.
    case patch = "PATCH"
    /// Deletes.
    case delete = "DELETE"

    /// Whether a request has the same effect when it arrives twice (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        switch self {
        case .get, .put, .delete: true
        case .post, .patch: false
        }
    }
}

/// A request as it leaves.
public struct TransportRequest: Sendable, Hashable {
    /// What is to be done.
    public var method: HTTPMethod
    /// Where the request goes, with its query.
    public var url: URL
    /// The header fields by name.
    public var headers: [String: String]
    /// What is sent, where there is something to send.
    public var body: Data?
    /// Whether the request has the same effect when it arrives twice.
    public var isRepeatable: Bool
    /// How long the request may take in all, where that is less than the transport gives to any; nil for no such limit.
    public var timeLimit: Duration?

    /// Puts a request together.
    ///
    /// - Parameter isRepeatable: Whether the request has the same effect when it arrives twice. Where it is not given,
    ///   the method says so (RFC 9110, section 9.2.2), or an `Idempotency-Key`.
    public init(
        method: HTTPMethod, url: URL, headers: [String: String] = [:], body: Data? = nil, isRepeatable: Bool? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        let hasKey = headers.keys.contains { $0.lowercased() == "idempotency-key" }
        self.isRepeatable = isRepeatable ?? (method.isIdempotent || hasKey)
    }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL only: headers hold tokens, and bodies hold passwords and people's notes.
    public var description: String { "\(method.rawValue) \(url.absoluteString)" }
    /// The same as the description: no header's value and no body.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An answer as it came.
public struct TransportResponse: Sendable, Hashable {
    /// The status code of HTTP.
    public var status: Int
    /// The header fields by name in lower case.
    public var headers: [String: String]
    /// What was received, all of it.
    public var body: Data
    /// Whether the request may have arrived before: it was sent over a connection that broke without a word, and this
    /// answers the repetition.
    public var mayHaveArrivedBefore = false
    /// The server to which the request is redirected; nil where it is not, or that cannot be told.
    var otherServer: ServerAddress?

    /// Puts an answer together; the names of the header fields may be in any case.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }

    /// A header field, whatever the case of its name.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status and size only: the body of a sign-in holds tokens.
    public var description: String { "\(status), \(body.count) bytes" }
    /// The same as the description: no header's value and no body.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
