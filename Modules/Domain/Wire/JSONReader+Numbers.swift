extension JSONReader {
    /// The number that a text is; nil where it is none.
    static func number(in text: String) -> JSONValue? {
        var text = text
        return text.withUTF8 { utf8 in
            var reader = JSONReader(bytes: UnsafeRawBufferPointer(utf8))
            guard let number = try? reader.number(), reader.index == utf8.count else { return nil }
            return number
        }
    }

    /// Reads a number: an integer where its value is whole and fits 64 bits.
    package mutating func number() throws(JSONFault) -> JSONValue {
        let start = index
        var number = DecimalNumber()
        if peek(index) == UInt8(ascii: "-") {
            number.isNegative = true
            index += 1
        }
        let first = index
        var isNumber = readDigits(into: &number) && (peek(first) != UInt8(ascii: "0") || index == first + 1)
        var isPlain = true
        if peek(index) == UInt8(ascii: ".") {
            isPlain = false
            index += 1
            let point = index
            isNumber = readDigits(into: &number) && isNumber
            number.exponent -= index - point
        }
        if peek(index) | 0x20 == UInt8(ascii: "e") {
            isPlain = false
            index += 1
            isNumber = readExponent(into: &number) && isNumber
        }
        guard isNumber else { throw malformed("'\(text(start..<index))' is no number of JSON", at: start) }
        if isPlain, let whole = number.integer { return .integer(whole) }
        let text = start..<index
        guard let value = number.double ?? Double(self.text(text)), value.isFinite else {
            try note(.infinite, "the number \(self.text(text)) is too large", at: text)
            return .string(self.text(text))
        }
        if value == 0, !number.isZero, noted.contains(.vanishing) {
            try note(.vanishing, "the number \(self.text(text)) is too near to 0", at: text)
        }
        guard var whole = Int64(exactly: value) else { return .number(value) }
        if value.magnitude >= 0x1p53 {
            // Several numbers have this floating-point value.
            guard let exact = number.integer else { return .number(value) }
            whole = exact
        }
        return .integer(whole)
    }

    /// Whether there is a digit at least.
    private mutating func readDigits(into number: inout DecimalNumber) -> Bool {
        let start = index
        while case let digit = peek(index) &- UInt8(ascii: "0"), digit < 10 {
            number.append(digit)
            index += 1
        }
        return index > start
    }

    private mutating func readExponent(into number: inout DecimalNumber) -> Bool {
        let isNegative = peek(index) == UInt8(ascii: "-")
        if isNegative || peek(index) == UInt8(ascii: "+") { index += 1 }
        let start = index
        var exponent = 0
        while case let digit = peek(index) &- UInt8(ascii: "0"), digit < 10 {
            // A larger one means the same: no number of this document's size has as many digits.
            if exponent < 1 << 48 { exponent = exponent * 10 + Int(digit) }
            index += 1
        }
        number.exponent += isNegative ? -exponent : exponent
        return index > start
    }
}

/// A number as its first digits and a power of ten.
private struct DecimalNumber {
    var isNegative = false
    var exponent = 0
    private var digits: UInt64 = 0
    /// How many digits did not fit into ``digits``; those that did are at least nineteen.
    private var dropped = 0
    /// Whether one of those is not 0.
    private var isCut = false

    mutating func append(_ digit: UInt8) {
        let (tens, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
        guard overflow || carry || dropped > 0 else {
            digits = sum
            return
        }
        dropped += 1
        if digit != 0 { isCut = true }
    }

    /// Whether every digit is 0.
    var isZero: Bool { digits == 0 && dropped == 0 }

    /// The value; nil where it is not whole, or does not fit.
    var integer: Int64? {
        if isCut { return nil }
        var (rest, power) = (digits, exponent + dropped)
        while power < 0, rest != 0 {
            guard rest.isMultiple(of: 10) else { return nil }
            (rest, power) = (rest / 10, power + 1)
        }
        while power > 0, rest != 0 {
            let (product, overflow) = rest.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (rest, power) = (product, power - 1)
        }
        if isNegative { return rest <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- rest) : nil }
        return Int64(exactly: rest)
    }

    /// The nearest floating-point value where one division or multiplication of two exact ones gives it.
    var double: Double? {
        guard dropped == 0, digits < 1 << 53, abs(exponent) < Self.powers.count else { return nil }
        let value = exponent < 0 ? Double(digits) / Self.powers[-exponent] : Double(digits) * Self.powers[exponent]
        return isNegative ? -value : value
    }

    /// The powers of ten that are exact.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
