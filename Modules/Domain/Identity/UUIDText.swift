/// Reads and writes the 36 characters of a UUID of any version.
public enum UUIDText {
    /// The upper and the lower 64 bits of a UUID.
    ///
    /// - Parameter allowsUpperCase: Whether digits may be in upper case; what is written has none.
    /// - Returns: Nil for any other text.
    public static func parse(_ text: String, allowsUpperCase: Bool = false) -> (high: UInt64, low: UInt64)? {
        var text = text
        return text.withUTF8 { parse($0, allowsUpperCase) }
    }

    /// The text of a UUID, in lower case.
    public static func text(high: UInt64, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for nibble in 0..<32 {
                if isHyphen(position) {
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

    /// Whether the text has a hyphen at this place, counted from 0.
    public static func isHyphen(_ position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, _ allowsUpperCase: Bool
    ) -> (high: UInt64, low: UInt64)? {
        guard bytes.count == 36 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        var digits = 0
        for index in 0..<36 {
            if isHyphen(index) {
                guard bytes[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = hexValue(bytes[index], allowsUpperCase) else { return nil }
            if digits < 16 { words.high = words.high << 4 | value } else { words.low = words.low << 4 | value }
            digits += 1
        }
        return words
    }

    private static func hexValue(_ byte: UInt8, _ allowsUpperCase: Bool) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F") where allowsUpperCase: UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
