import Foundation
import TrendyData
import TrendySync

/// How requests leave this machine: through which proxies, and with whose word for a server's certificate.
public struct NetworkSettings: Sendable, Hashable {
    /// The proxies that the environment names.
    var proxies: ProxySettings
    /// The PEM file of a person's own authorities, and where that is said; nil for none.
    var authorityFile: String?
    /// Where ``authorityFile`` is said, for messages.
    var authoritySource = ""
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    private var certificateVariables: [String: String]

    /// Takes what concerns the network from the variables of the process.
    public init(environment: [String: String] = [:]) {
        proxies = ProxySettings(environment: environment)
        certificateVariables = environment.filter { ["SSL_CERT_FILE", "SSL_CERT_DIR"].contains($0.key) }
    }

    /// The proxy for a server; nil for none.
    ///
    /// - Throws: `ProxyError`.
    func proxy(to server: ServerAddress) throws(ProxyError) -> Proxy? {
        guard case .through(let proxy) = try proxies.route(to: server.url) else { return nil }
        return proxy
    }

    /// Who may vouch for a server's certificate. The files are read only for a server that shows one.
    ///
    /// - Throws: `CertificateFileError`.
    func authorities(for server: ServerAddress) throws(CertificateFileError) -> CertificateAuthorities {
        guard server.url.scheme == "https" else { return CertificateAuthorities() }
        return try CertificateAuthorities(
            own: authorityFile.map { ($0, authoritySource) }, environment: certificateVariables)
    }
}

extension TrendyConfiguration {
    /// How requests reach a server, and within which time.
    ///
    /// - Throws: `ProxyError` or `CertificateFileError` where what a person said of the way there cannot be used.
    func transport(to server: ServerAddress) throws -> TransportConfiguration {
        var transport = transportTimes
        transport.proxy = try network.proxy(to: server)
        transport.authorities = try network.authorities(for: server)
        return transport
    }

    /// The numbers that the engine works by. Its lease outlasts the longest request.
    var sync: SyncConfiguration {
        var sync = SyncConfiguration()
        let longest = transportTimes.totalTimeout / .milliseconds(1)
        let growth = max(0, Int64(longest * 4 / 3) - sync.leaseDuration)
        sync.leaseDuration += growth
        // Whoever waits takes over from a holder that hangs.
        sync.leasePatience += .milliseconds(growth)
        return sync
    }

    /// Within which time requests end.
    private var transportTimes: TransportConfiguration {
        var transport = TransportConfiguration()
        if let timeout {
            // The limit for the whole request is six times the limit for silence; with more than the standard, at least
            // that of the standard, and twice the limit for silence.
            transport.idleTimeout = .seconds(timeout)
            transport.totalTimeout = max(.seconds(2 * timeout), min(transport.totalTimeout, .seconds(6 * timeout)))
        }
        return transport
    }
}
