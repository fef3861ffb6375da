/// By which way devices speak with the server of a history.
public enum Gateway: String, CaseIterable, Codable, Sendable {
    /// The exact exchange: one request, one answer.
    case exact
    /// The first HTTP API. The server has no exchange, and may have the ways of deployed ones.
    case rest
}
