#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An address of the Internet protocol as its 4 or 16 bytes.
struct InternetAddress: Hashable {
    let bytes: [UInt8]

    /// Nil where the text is no address.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        func read(_ family: Int32, _ size: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: size)
            return inet_pton(family, text, &bytes) == 1 ? bytes : nil
        }
        guard let bytes = read(AF_INET, 4) ?? read(AF_INET6, 16) else { return nil }
        self.bytes = bytes
    }
}

/// The addresses that begin with the same bits (CIDR, RFC 4632).
struct InternetAddressBlock {
    private let first: InternetAddress
    /// How many bits count.
    private let length: Int

    /// Nil where the text is no block, such as `10.0.0.0/8` or `fd00::/8`.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = InternetAddress(parts[0]), let length = Int(parts[1]),
            (0...first.bytes.count * 8).contains(length)
        else { return nil }
        self.first = first
        self.length = length
    }

    func contains(_ address: InternetAddress) -> Bool {
        address.bytes.count == first.bytes.count
            && zip(first.bytes, address.bytes).enumerated().allSatisfy { place, pair in
                let counted = min(max(length - place * 8, 0), 8)
                return (pair.0 ^ pair.1) >> (8 - counted) == 0
            }
    }
}
