import HTTPTypes

/// Finds the address of a request's client, behind the proxies that are trusted.
struct ClientAddress: Sendable {
    let trustedProxies: [AddressBlock]

    /// The name under which the requests of a client are counted.
    ///
    /// - Parameter peer: The other end of the connection.
    func limitKey(peer: String, _ headers: HTTPFields) -> String {
        guard let address = IPAddress(peer) else { return peer }
        return client(peer: address, headers).limitKey
    }

    /// Whether the other end of a connection is a trusted proxy, or this machine.
    func isTrusted(peer: String) -> Bool {
        IPAddress(peer).map { isTrusted($0) || $0.isLoopback } ?? false
    }

    /// The last address on the way that is no trusted proxy.
    ///
    /// Headers count only where a trusted proxy sent them, and each address only where the one after it is trusted.
    /// Where a trusted proxy does not know who sent a request, the proxy itself stands for the client. The same is so
    /// where `Forwarded` and `X-Forwarded-For` disagree: a proxy that writes one of them passes on the other, which
    /// the client may have made up.
    func client(peer: IPAddress, _ headers: HTTPFields) -> IPAddress {
        let forwarded = headers.value("Forwarded").map { last(before: peer, ForwardedHeader.nodes($0)) }
        let older = headers.value("X-Forwarded-For").map {
            last(before: peer, $0.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) })
        }
        if let forwarded, let older, forwarded != older { return peer }
        return forwarded ?? older ?? peer
    }

    private func last(before peer: IPAddress, _ nodes: [String?]) -> IPAddress {
        var address = peer
        for node in nodes.reversed() {
            guard isTrusted(address), let node, let next = IPAddress(node: node) else { break }
            address = next
        }
        return address
    }

    private func isTrusted(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
