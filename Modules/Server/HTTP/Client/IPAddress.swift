import Foundation
import NIOCore

/// An address of the Internet protocol, of version 4 or 6, as its bytes.
struct IPAddress: Sendable, Hashable {
    /// 4 or 16 bytes. An IPv4 address that is written within IPv6 (`::ffff:192.0.2.1`) has 4.
    let bytes: [UInt8]

    /// Reads an address; nil where the text is none. A zone (`%eth0`) is left out.
    init?(_ text: some StringProtocol) {
        let plain = text.contains(":") ? String(text.prefix { $0 != "%" }) : String(text)
        guard let address = try? SocketAddress(ipAddress: plain, port: 0) else { return nil }
        switch address {
        case .v4(let address):
            bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            bytes = Array(all.prefix(12)) == Self.mappedPrefix ? Array(all.suffix(4)) : all
        case .unixDomainSocket:
            return nil
        }
    }

    /// Reads a node of a proxy's header (RFC 7239, section 6): an address with or without brackets and port. Nil for
    /// `unknown` and names of the proxy's own.
    init?(node: some StringProtocol) {
        if node.hasPrefix("[") {
            guard let end = node.firstIndex(of: "]") else { return nil }
            let rest = node[node.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            self.init(node[node.index(after: node.startIndex)..<end])
        } else if node.count(where: { $0 == ":" }) == 1 {
            self.init(node.prefix { $0 != ":" })
        } else {
            self.init(node)
        }
    }

    /// Whether it is this machine's: 127.0.0.0/8 and ::1.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// The name under which requests are counted. IPv6 counts by /64, because one subscriber has at least that many
    /// addresses (RFC 6177).
    var limitKey: String {
        let counted = bytes.count == 4 ? bytes : Array(bytes.prefix(8))
        return counted.map(String.init).joined(separator: ".")
    }

    /// The first 12 bytes of an IPv4 address within IPv6 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
}
