import Foundation
import Synchronization
import TrendyDomain

/// A request in the terms of the API, before it has a host and a token.
struct APIRequest: Sendable {
    var method: HTTPMethod
    /// Percent-encoded, with a slash first.
    var path: String
    var query: [(name: String, value: String)] = []
    var body: Data?
    var idempotencyKey: String?
    /// What the device calls itself, where the server is to know.
    var userAgent: String?
    /// Whether it has the same effect when it arrives twice; nil where method and key say so.
    var isRepeatable: Bool?
    /// Whether it only asks, so that it does not matter whether it has arrived before.
    var changesNothing: Bool
    /// True for what is beside the base path and not below it.
    var isBesideBasePath = false

    init(_ method: HTTPMethod, _ path: String, body: Data? = nil, idempotencyKey: String? = nil) {
        self.method = method
        self.path = path
        self.body = body
        self.idempotencyKey = idempotencyKey
        changesNothing = method == .get
    }

    /// An id as one segment of a path.
    ///
    /// - Throws: `APIError.http` with status 400 for what no route can name: nothing, or a step within the path.
    static func segment(_ id: String) throws -> String {
        guard !id.isEmpty, id != ".", id != "..", let encoded = escaped(id) else {
            throw APIError.http(status: 400, problem: ProblemDetails(detail: "'\(id)' cannot be an id"))
        }
        return encoded
    }

    /// A text with everything but RFC 3986's unreserved characters percent-encoded.
    static func escaped(_ text: String) -> String? {
        text.addingPercentEncoding(withAllowedCharacters: unreserved)
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// Gives requests their host and their header, and sends them.
struct RequestSender: Sendable {
    let server: ServerAddress
    let basePath: String
    let tokenHeader: TokenHeader
    let transport: any HTTPTransport

    /// - Parameter limit: How long the request may take; nil for as long as the transport allows.
    func send(_ request: APIRequest, token: Secret?, within limit: Duration? = nil) async throws -> TransportResponse {
        var outgoing = try outgoing(request, token, accept: "application/json, application/problem+json")
        outgoing.timeLimit = limit
        var response = try await naming { [outgoing] in try await transport.send(outgoing) }
        if request.changesNothing { response.mayHaveArrivedBefore = false }
        return located(response, of: request, from: outgoing.url)
    }

    /// The answer with the whole address of the place that it points to (RFC 9110, section 10.2.2).
    private func located(
        _ response: TransportResponse, of request: APIRequest, from url: URL
    ) -> TransportResponse {
        guard let place = response.header("Location"), let whole = URL(string: place, relativeTo: url) else {
            return response
        }
        var response = response
        response.headers["location"] = whole.absoluteString
        response.otherServer = otherServer(whole, request)
        return response
    }

    /// The server that answers this request at another place, where that is another server than this one; nil where the
    /// place does not end with the request's own path.
    private func otherServer(_ place: URL, _ request: APIRequest) -> ServerAddress? {
        let route = path(of: request)
        guard route.hasPrefix("/"), var parts = URLComponents(url: place, resolvingAgainstBaseURL: true),
            parts.percentEncodedPath.hasSuffix(route)
        else { return nil }
        parts.percentEncodedPath = String(parts.percentEncodedPath.dropLast(route.count))
        // The query is that of the request.
        parts.query = nil
        parts.fragment = nil
        guard let text = parts.string, let other = try? ServerAddress(parse: text), other != server else { return nil }
        return other
    }

    /// The path below the server's address.
    private func path(of request: APIRequest) -> String {
        (request.isBesideBasePath ? "" : basePath) + request.path
    }

    /// Sends a request, and hands a success over as it comes, until it ends.
    ///
    /// - Returns: The head of a success; any other answer with its body.
    func stream(
        _ request: APIRequest, token: Secret?, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
    ) async throws -> TransportResponse {
        let outgoing = try outgoing(request, token, accept: "text/event-stream, application/problem+json;q=0.5")
        let refusal = Mutex(TransportResponse(status: 0))
        try await naming {
            try await transport.stream(outgoing) { part in
                let status = refusal.withLock { answer in
                    switch part {
                    case .head(let head): answer = head
                    case .body(let piece):
                        let isRead = answer.status == 200 || answer.body.count >= Self.longestRefusal
                        if !isRead { answer.body += piece }
                    }
                    return answer.status
                }
                if status == 200 { try receive(part) }
            }
        }
        return located(refusal.withLock { $0 }, of: request, from: outgoing.url)
    }

    /// How many bytes of a refusal are read, about.
    private static let longestRefusal = 1 << 16

    private func outgoing(
        _ request: APIRequest, _ token: Secret?, accept: String
    ) throws -> TransportRequest {
        var headers = ["Accept": accept]
        if request.body != nil { headers["Content-Type"] = "application/json" }
        if let key = request.idempotencyKey { headers["Idempotency-Key"] = key }
        if let userAgent = request.userAgent { headers["User-Agent"] = userAgent }
        if let token { headers[tokenHeader.name] = tokenHeader.prefix + token.value }
        return TransportRequest(
            method: request.method, url: try url(of: request), headers: headers, body: request.body,
            isRepeatable: request.isRepeatable)
    }

    private func naming<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        // A transport may notice the cancellation only when the request is on its way.
        if Task.isCancelled { throw APIError.cancelled }
        do {
            return try await work()
        } catch let error as APIError {
            throw error
        } catch is CancellationError {
            throw APIError.cancelled
        } catch {
            throw APIError.connection(String(describing: error))
        }
    }

    private func url(of request: APIRequest) throws -> URL {
        var text = server.description + path(of: request)
        if !request.query.isEmpty {
            let pairs = request.query.compactMap { name, value in APIRequest.escaped(value).map { "\(name)=\($0)" } }
            text += "?" + pairs.joined(separator: "&")
        }
        guard let url = URL(string: text) else {
            throw APIError.notSent("'\(text)' is no URL; check the routes")
        }
        return url
    }
}
