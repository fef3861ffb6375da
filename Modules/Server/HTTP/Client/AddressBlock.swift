/// One address, or all addresses that begin with the same bits (CIDR, RFC 4632).
public struct AddressBlock: Sendable, Hashable {
    private let address: IPAddress
    /// How many bits count.
    private let length: Int

    /// Reads an address such as `10.0.0.1` or `::1`, or a block such as `10.0.0.0/8` or `fd00::/8`; nil where the text
    /// is neither.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let bits = address.bytes.count * 8
        self.address = address
        guard parts.count == 2 else {
            length = bits
            return
        }
        guard let written = Int(parts[1]), parts[1].allSatisfy(\.isNumber) else { return nil }
        // A block of IPv4 addresses within IPv6 counts the 96 bits before them.
        let given = bits == 32 && parts[0].contains(":") ? written - 96 : written
        guard (0...bits).contains(given) else { return nil }
        length = given
    }

    /// Whether the address is in the block. Blocks hold addresses of their own version alone.
    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = (length / 8, length % 8)
        guard other.bytes.prefix(whole) == address.bytes.prefix(whole) else { return false }
        if rest == 0 { return true }
        return (other.bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
