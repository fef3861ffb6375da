public import Foundation

/// An answer that the proxy gives itself.
public struct Reply: Sendable, Hashable {
    /// The status line without the version: `429 Too Many Requests`.
    public var status: String
    /// Name and value of each header field but the length of the body.
    public var headers: [[String]]
    public var body: Data

    /// Puts an answer together.
    public init(status: String, headers: [[String]] = [], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer with a JSON body.
    public static func json(_ status: String, _ body: String, headers: [[String]] = []) -> Reply {
        Reply(status: status, headers: [["Content-Type", "application/json"]] + headers, body: Data(body.utf8))
    }

    /// 429, with the seconds to wait where they are given.
    public static func tooManyRequests(retryAfter seconds: Int? = nil) -> Reply {
        .json(
            "429 Too Many Requests", #"{"error":"slow down"}"#,
            headers: seconds.map { [["Retry-After", "\($0)"]] } ?? [])
    }

    public static let internalError = Reply.json("500 Internal Server Error", #"{"error":"out of order"}"#)
    public static let unavailable = Reply.json("503 Service Unavailable", #"{"error":"back soon"}"#)
    public static let notFound = Reply.json("404 Not Found", #"{"error":"not found"}"#)
    public static let unauthorized = Reply.json("401 Unauthorized", #"{"error":"invalid token"}"#)

    /// The page of a network that wants to be signed in to.
    public static let captivePortal = Reply(
        status: "200 OK", headers: [["Content-Type", "text/html; charset=utf-8"]],
        body: Data("<!DOCTYPE html><html><body>Welcome to the hotel</body></html>".utf8))

    /// A redirect to another place.
    public static func redirect(_ status: String, to url: String) -> Reply {
        Reply(status: status, headers: [["Location", url]])
    }

    /// The bytes on the wire.
    var bytes: Data {
        let fields = (headers + [["Content-Length", "\(body.count)"]]).map { $0.joined(separator: ": ") }
        return Data((["HTTP/1.1 \(status)"] + fields).joined(separator: "\r\n").utf8) + Data("\r\n\r\n".utf8) + body
    }
}
