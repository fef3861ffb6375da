public import Foundation

/// A request as a rule sends it.
public struct WireRequest: Sendable, Hashable {
    /// The methods that the protocol knows, and one that it does not.
    public enum Method: String, Sendable, Hashable, Codable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    /// The path from the server's root, with its query: `/api/v1/events?limit=5`.
    public var path: String
    /// The header fields by name.
    public var headers: [String: String]
    public var body: Data?

    /// Puts a request together.
    public init(_ method: Method, _ path: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// An answer as a server gave it.
public struct WireAnswer: Sendable, Hashable {
    public var status: Int
    /// The header fields by name in lower case.
    public var headers: [String: String]
    public var body: Data

    /// Puts an answer together; the names of the header fields may be in any case.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }
}
