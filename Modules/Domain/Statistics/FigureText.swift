/// A number with one digit after the point, with two below one, and with none from 100 on: `3.1`, `0.25`, `123`.
///
/// It has a point in every language, so that output can be compared and read by programs.
func figure(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    let (digits, scale) = abs(number) < 1 ? (2, 100) : abs(number) < 100 ? (1, 10) : (0, 1)
    let scaled = Int((number * Double(scale)).rounded())
    let (whole, fraction) = (scaled.magnitude / UInt(scale), Int(scaled.magnitude % UInt(scale)))
    let sign = scaled < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    var text = zeroPadded(fraction, to: digits)
    while text.hasSuffix("0") { text.removeLast() }
    return "\(sign)\(whole).\(text)"
}

/// A count with its noun: `1 day`, `12 days`.
func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// Words as a list: `a`, `a and b`, `a, b and c`.
func listed(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
}
