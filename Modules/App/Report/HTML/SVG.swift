import TrendyNotation

/// What drawings need besides elements.
enum SVG {
    /// A length with at most two digits behind the point: more are not seen.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return NumberText.text((value * 100).rounded() / 100)
    }

    /// A share of the width, so that a drawing is as wide as its place while its texts keep their size.
    static func percent(_ share: Double) -> String { number(share * 100) + "%" }
}
