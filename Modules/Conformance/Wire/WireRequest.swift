public import Foundation

/// A request as a rule sends it.
public struct WireRequest: Sendable, Hashable {
    /// The methods that the protocol knows, and one that it does not.
    public enum Method: String, Sendable, Hashable, Codable {
        /// Reads.
        case get = "GET"
        /// Makes a record, or signs in.
        case post = "POST"
        /// Changes the fields of a record that the body names.
        case put = "PUT"
        /// The one that no route has: a server must refuse it with 405.
        case patch = "PATCH"
        /// Deletes a record.
        case delete = "DELETE"
    }

    /// What is to be done at the path.
    public var method: Method
    /// The path from the server's root, with its query: `/api/v1/events?limit=5`.
    public var path: String
    /// The header fields by name.
    public var headers: [String: String]
    /// The bytes to send, JSON in all rules but those about bodies that are none; nil for no body.
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
    /// The HTTP status code, whatever it is: a refusal is an answer too.
    public var status: Int
    /// The header fields by name in lower case.
    public var headers: [String: String]
    /// The bytes that came, without the transfer's encoding; empty where there were none.
    public var body: Data

    /// Puts an answer together; the names of the header fields may be in any case.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
        self.body = body
    }
}
