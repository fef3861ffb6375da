/// Where `GET /metrics` is answered.
public struct MetricsAddress: Sendable, Hashable {
    /// The address or name of this machine to listen at.
    public var host: String
    /// The port to listen at; 0 for any free one.
    public var port: Int

    /// Makes an address of its parts.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, with an IPv6 address in brackets; nil where it is written otherwise.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        if host.isEmpty { return nil }
        self.init(host: String(host), port: Int(port))
    }
}
