/// A UUID of version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then randomness.
public struct UUIDv7: Sendable, Hashable {
    /// The upper 64 bits: time, version and the first 12 random bits.
    public let high: UInt64
    /// The lower 64 bits: variant and 62 random bits.
    public let low: UInt64

    /// Puts a UUID together; version and variant bits are set whatever the randomness holds.
    ///
    /// For ids that follow from something else, like the rows of a file, so that they are the same each time.
    /// - Parameters:
    ///   - milliseconds: Since 1970; the lower 48 bits count.
    ///   - randomHigh: The lower 12 bits count.
    ///   - randomLow: The lower 62 bits count.
    public init(milliseconds: UInt64, randomHigh: UInt16, randomLow: UInt64) {
        high = milliseconds << 16 | 0x7000 | UInt64(randomHigh & 0x0FFF)
        low = randomLow & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Reads the 36-character form, in either case.
    ///
    /// Returns nil for any other text, another version, or another variant.
    public init?(_ text: String) {
        var text = text
        guard let (high, low) = text.withUTF8(Self.parse) else { return nil }
        guard high >> 12 & 0xF == 7, low >> 62 == 0b10 else { return nil }
        self.high = high
        self.low = low
    }

    /// When the UUID was made, by the clock of whoever made it.
    public var timestamp: Timestamp {
        Timestamp(milliseconds: Int64(high >> 16))
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
        guard bytes.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for index in 0..<36 {
            if hyphens.contains(index) {
                guard bytes[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = hexValue(bytes[index]) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | value } else { words.1 = words.1 << 4 | value }
            digits += 1
        }
        return words
    }

    private static func hexValue(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static let hyphens = [8, 13, 18, 23]
}

extension UUIDv7: CustomStringConvertible {
    /// The 36-character form in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for nibble in 0..<32 {
                if Self.hyphens.contains(position) {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = nibble < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - nibble % 16 * 4)) & 0xF
                buffer[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                position += 1
            }
            return 36
        }
    }
}
