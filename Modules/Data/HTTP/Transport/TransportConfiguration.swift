/// The bounds within which a transport works, and the way to its servers.
public struct TransportConfiguration: Sendable, Hashable {
    /// How long nothing may arrive or leave before a request counts as timed out. This ends most requests that fail.
    public var idleTimeout: Duration
    /// How long a request may take in all, however steadily it comes: whoever sends drop by drop is not waited for.
    ///
    /// It is shorter than the lease of a sync, which no other process may take over meanwhile (Docs/decisions/0042).
    public var totalTimeout: Duration
    /// The largest body of an answer, in bytes; a larger one is refused as soon as it is known.
    public var maximumResponseBytes: Int
    /// How many connections to one server are open at once.
    public var connectionsPerHost: Int
    /// The proxy that carries the requests; nil for none.
    public var proxy: Proxy?
    /// Who may vouch for the certificates of servers.
    public var authorities: CertificateAuthorities

    /// Sets the bounds.
    public init(
        idleTimeout: Duration = .seconds(15), totalTimeout: Duration = .seconds(90),
        maximumResponseBytes: Int = 64 << 20, connectionsPerHost: Int = 6, proxy: Proxy? = nil,
        authorities: CertificateAuthorities = CertificateAuthorities()
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.maximumResponseBytes = maximumResponseBytes
        self.connectionsPerHost = connectionsPerHost
        self.proxy = proxy
        self.authorities = authorities
    }

    /// How long this request may take in all.
    func totalTimeout(of request: TransportRequest) -> Duration {
        request.timeLimit.map { min($0, totalTimeout) } ?? totalTimeout
    }
}
