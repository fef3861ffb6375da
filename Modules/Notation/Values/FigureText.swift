/// Short numbers for people, with a decimal point in all locales.
package enum FigureText {
    /// The number with few digits: `12`, `3.1`, `0.25`, `123`, `1,234`, `1e20`.
    ///
    /// A short fraction is written whole: `7.25`, `184.5`. A longer one is rounded to one digit, below one to two digits
    /// that count, and from 100 on to none.
    package static func text(_ number: Double) -> String {
        let size = abs(number)
        // A Double has no meaningful fraction beyond 15 digits; very large and small numbers have an exponent.
        if size >= 1e16 || (number != 0 && size < 1e-8) { return NumberText.text(number, digits: 6) }
        if size >= 1e14 { return grouped(NumberText.text(number.rounded())) }
        var (short, whole) = size >= 100 ? (1.0, 10.0) : size >= 10 ? (10, 10) : size >= 1 ? (10, 100) : (100, 1000)
        while size < 1, size * short < 10, short < 1e9 { (short, whole) = (short * 10, whole * 10) }
        let close = (number * whole).rounded() / whole
        // Adding up leaves errors in the last digits.
        let isWhole = abs(close - number) <= size * 1e-9
        return grouped(NumberText.text(isWhole ? close : (number * short).rounded() / short))
    }

    /// A count with a comma between thousands: `1,234,567`.
    package static func text(_ count: Int) -> String { grouped(String(count)) }

    /// The number with a comma between the thousands before its point.
    private static func grouped(_ text: String) -> String {
        let sign = text.prefix { $0 == "-" }
        let digits = text.dropFirst(sign.count).prefix { $0.isWholeNumber }
        var grouped = ""
        for (place, digit) in digits.enumerated() {
            if place > 0 && (digits.count - place) % 3 == 0 { grouped += "," }
            grouped.append(digit)
        }
        return sign + grouped + text.dropFirst(sign.count + digits.count)
    }

    /// A count with its noun: `1 event`, `1,200 events`.
    package static func counted(_ count: Int, _ noun: String) -> String {
        "\(text(count)) \(noun)\(count == 1 ? "" : "s")"
    }
}

/// A number of things: `1 event`, `2 events`.
package func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}
