/// Which sign a person writes before the fraction of a number. A point is read as that in any case.
package enum DecimalSign: Sendable, Hashable {
    case point, comma
    /// That of the person's locale.
    case ofLocale(EnvironmentLocale)

    package var isComma: Bool {
        switch self {
        case .point: false
        case .comma: true
        case .ofLocale(let locale): locale.hasDecimalComma
        }
    }

    /// The number with a point for its comma, where the sign is the comma; any other text as it is.
    package func withPoint(_ text: String) -> String {
        let pointed = DecimalComma.withPoint(text)
        // The locale is asked only where there is such a number.
        return pointed != text && isComma ? pointed : text
    }

    /// Whether a comma stands before fractions in a file with this character between its fields: where that is a
    /// semicolon, it does whoever reads it.
    package func isComma(inFileWith delimiter: UInt8) -> Bool { delimiter == DecimalComma.delimiter || isComma }
}

/// Numbers with a comma before their fraction, as files have them whose fields are between semicolons.
package enum DecimalComma {
    /// What is between the fields of such a file.
    package static let delimiter = UInt8(ascii: ";")

    /// The text with a point for the comma, and without points between thousands: `7,5 km`, `1.234,5`; as it is where
    /// it does not begin with such a number.
    package static func withPoint(_ text: String) -> String {
        guard let (whole, fraction, rest) = parts(text) else { return text }
        return whole.filter { $0 != "." } + "." + fraction + rest
    }

    /// Whether the comma may also stand between thousands: `1,234`, but neither `0,125` nor `1.234,567`.
    package static func isAmbiguous(_ text: String) -> Bool {
        guard let (whole, fraction, _) = parts(text), fraction.count == 3 else { return false }
        let figures = unsigned(whole)
        return figures.count <= 3 && figures.first != "0"
    }

    /// Whether it begins with a number whose comma can only be a decimal one.
    package static func isCertain(_ text: String) -> Bool { parts(text) != nil && !isAmbiguous(text) }

    /// What to write in place of a number with a comma; nil where the text begins with no such number.
    package static func advice(_ text: String) -> String? {
        let pointed = withPoint(text)
        guard pointed != text else { return nil }
        guard isAmbiguous(text) else { return "write \(quoted(pointed))" }
        return "write \(quoted(pointed)), or \(quoted(text.filter { $0 != "," })) where the comma parts thousands"
    }

    /// The setting that makes numbers with a comma readable, as a sentence goes on.
    package static let setting = "'trendy config set decimal comma' lets you write commas"

    private static func parts(_ text: String) -> (whole: String, fraction: String, rest: String)? {
        let sides = text.split(separator: ",", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let whole = String(sides[0].filter { !$0.isWhitespace })
        let fraction = sides[1].prefix(while: isDigit)
        let rest = sides[1].dropFirst(fraction.count)
        guard isWhole(unsigned(whole)), !fraction.isEmpty, !rest.contains(where: { isDigit($0) || $0 == "." })
        else { return nil }
        return (whole, String(fraction), String(rest))
    }

    private static func unsigned(_ whole: String) -> Substring {
        whole.first == "-" || whole.first == "+" ? whole.dropFirst() : whole[...]
    }

    /// Figures, with points between thousands or without.
    private static func isWhole(_ figures: Substring) -> Bool {
        let groups = figures.split(separator: ".", omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return false }
        return groups.count == 1 || groups[0].count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 }
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
