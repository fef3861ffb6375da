import TrendyNotation

/// A hash of 128 bits that is the same on every machine and in every version: FNV-1a.
///
/// It names imported rows, so that the same row has the same name the next time. It is no protection
/// against somebody who looks for collisions: the rows are the person's own.
struct Hash128: Hashable {
    private var value = UInt128(0x6c62_272e_07bb_0142) << 64 | UInt128(0x62b8_2175_6295_c58d)
    private static let prime = UInt128(1) << 88 | UInt128(0x13b)

    /// Adds a field. What ends a field is added too, so that no two lists of fields flow together.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        // No byte of UTF-8 text.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt128(byte)) &* Self.prime
    }

    /// The upper 16 bits.
    var high: UInt16 { UInt16(truncatingIfNeeded: value >> 112) }
    /// The lower 64 bits.
    var low: UInt64 { UInt64(truncatingIfNeeded: value) }

    /// The 32 hexadecimal digits.
    var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
