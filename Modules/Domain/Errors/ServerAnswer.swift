/// What a server answered to a request that it refused or failed on: the status, and its own words.
public struct ServerAnswer: Codable, Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The server's words; nil where it gave none.
    public var text: String?

    /// Makes an answer of its parts.
    public init(status: Int, text: String? = nil) {
        self.status = status
        self.text = text
    }
}

extension APIError {
    /// The status and the words of the server; nil where it gave no status.
    public var answer: ServerAnswer? {
        guard case .http(let status, let problem) = self else { return status.map { ServerAnswer(status: $0) } }
        return ServerAnswer(status: status, text: problem.detail ?? problem.title)
    }
}
