/// A request that came to the proxy.
public struct SeenRequest: Sendable, CustomStringConvertible {
    public let method: String
    /// The path without the query.
    public let path: String
    /// What follows the question mark, empty where there is none.
    public let query: String
    /// The token, without `Bearer`; nil where none was sent.
    public let token: String?
    public let idempotencyKey: String?
    /// What happened to it; nil where it and its answer passed unharmed.
    public let fault: String?
    /// When it came.
    public let at: ContinuousClock.Instant

    public var description: String {
        "\(method) \(path)\(query.isEmpty ? "" : "?\(query)")\(fault.map { " [\($0)]" } ?? "")"
    }
}
