/// Short numbers for people, with a decimal point in all locales.
package enum FigureText {
    /// The number with at most one decimal place, or with two significant digits below one: `12`, `3.1`, `0.25`, `1e20`.
    package static func text(_ number: Double) -> String {
        // A Double has no meaningful fraction beyond 15 digits; very large and small numbers have an exponent.
        if abs(number) >= 1e16 || (number != 0 && abs(number) < 1e-8) { return NumberText.text(number, digits: 6) }
        if abs(number) >= 1e14 { return NumberText.text(number.rounded()) }
        var scale = abs(number) < 1 ? 100.0 : 10.0
        while abs(number) * scale < 10, scale < 1e9, abs(number) < 1 { scale *= 10 }
        return NumberText.text((number * scale).rounded() / scale)
    }

    /// A count with a comma between thousands: `1,234,567`.
    package static func text(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0 && (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (count < 0 ? "-" : "") + text
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
