/// Reads and writes numbers, independent of the locale.
package enum NumberText {
    /// The finite number of a text; nil for other texts, such as `nan`, `inf` and hexadecimal numbers.
    package static func parse(_ text: String) -> Double? {
        let allowed = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte == 0x65 || byte == 0x45
        }
        guard allowed, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The shortest text that reads back as the same number: `12`, `0.000012`, `1e20`.
    ///
    /// Whole numbers have no fraction; very large and very small numbers have an exponent.
    package static func text(_ number: Double) -> String {
        // A fast path, because most numbers in exports are whole.
        if number == number.rounded(), abs(number) < 1e16 { return String(Int64(number)) }
        return DecimalDigits(number)?.text ?? String(number)
    }

    /// The text without an exponent, for formats that do not allow one: `0.00000001`.
    package static func plainText(_ number: Double) -> String { DecimalDigits(number)?.plainText ?? String(number) }

    /// The number, rounded to a number of significant digits: `1.23457e17`.
    package static func text(_ number: Double, digits: Int) -> String {
        guard var decimal = DecimalDigits(number) else { return String(number) }
        decimal.round(to: digits)
        return decimal.text
    }
}

/// The shortest decimal digits that identify a number.
package struct DecimalDigits {
    private let isNegative: Bool
    /// The digits without leading and trailing zeros; empty for zero.
    private var digits: [UInt8]
    /// The number of digits before the point.
    private var point: Int

    /// - Returns: Nil if the number is not finite.
    init?(_ number: Double) {
        guard number.isFinite else { return nil }
        isNegative = number < 0
        // The standard library writes the shortest digits, with or without an exponent: "1.2e-05", "123.4".
        let parts = String(number.magnitude).split(separator: "e")
        guard let mantissa = parts.first, let exponent = parts.count < 2 ? 0 : Int(parts[1]) else { return nil }
        let whole = mantissa.prefix { $0 != "." }
        let written = mantissa.utf8.filter { $0 != UInt8(ascii: ".") }.map { $0 - 0x30 }
        let leading = written.prefix { $0 == 0 }.count
        digits = Array(written.dropFirst(leading))
        point = whole.count + exponent - leading
        dropZeros()
    }

    private mutating func dropZeros() {
        while digits.last == 0 { digits.removeLast() }
    }

    package mutating func round(to count: Int) {
        guard digits.count > count else { return }
        let roundsUp = digits[count] >= 5
        digits.removeSubrange(count...)
        if roundsUp {
            while digits.last == 9 { digits.removeLast() }
            if let last = digits.popLast() {
                digits.append(last + 1)
            } else {
                digits = [1]
                point += 1
            }
        }
        dropZeros()
    }

    /// The text without an exponent, unless there would be many zeros between the digits and the point.
    package var text: String {
        if digits.isEmpty || (-5...16).contains(point) { return plainText }
        let written = digits.map(String.init)
        let fraction = written.count > 1 ? "." + written.dropFirst().joined() : ""
        return "\(isNegative ? "-" : "")\(written[0])\(fraction)e\(point - 1)"
    }

    /// The text without an exponent.
    package var plainText: String {
        if digits.isEmpty { return "0" }
        let sign = isNegative ? "-" : ""
        let written = digits.map(String.init)
        if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(written.joined())" }
        let zeros = String(repeating: "0", count: max(0, point - written.count))
        let fraction = written.dropFirst(point)
        return sign + written.prefix(point).joined() + zeros + (fraction.isEmpty ? "" : "." + fraction.joined())
    }
}
