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
        guard let (high, low) = UUIDText.parse(text, allowsUpperCase: true) else { return nil }
        guard high >> 12 & 0xF == 7, low >> 62 == 0b10 else { return nil }
        self.high = high
        self.low = low
    }

    /// When the UUID was made, by the clock of whoever made it.
    public var timestamp: Timestamp {
        Timestamp(milliseconds: Int64(high >> 16))
    }
}

extension UUIDv7: CustomStringConvertible {
    /// The 36-character form in lower case.
    public var description: String { UUIDText.text(high: high, low: low) }
}
