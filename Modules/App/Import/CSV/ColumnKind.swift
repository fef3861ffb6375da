import TrendyDomain
import TrendyNotation

/// Finds out of what kind a property is, by the values that a column of a CSV file has for it.
enum ColumnKind {
    /// The kind that takes all of these values as they are written; text where no other does, or none is there.
    ///
    /// - Parameter hasDecimalCommas: Whether `7,5` is a number in the file; where one value is like that, so is `1,234`,
    ///   which is a bad row rather than text.
    static func of(_ values: [String], hasDecimalCommas: Bool = false) -> PropertyType {
        let filled = values.filter { !$0.isEmpty }
        if filled.isEmpty { return .text }
        if filled.allSatisfy(isNumber) { return .number }
        if hasDecimalCommas, filled.contains(where: DecimalComma.isCertain),
            filled.allSatisfy({ isNumber(DecimalComma.withPoint($0)) })
        {
            return .number
        }
        let lengths = filled.map(WrittenLength.plain)
        if lengths.allSatisfy({ DurationText.parse($0) != nil }), filled.contains(where: namesTime) { return .duration }
        return filled.allSatisfy { PropertyText.boolean($0) != nil } ? .boolean : .text
    }

    private static func isNumber(_ text: String) -> Bool {
        NumberText.parse(text.filter { !$0.isWhitespace }) != nil
    }

    /// Whether a length of time can be nothing else: `400m` may be meters.
    private static func namesTime(_ text: String) -> Bool {
        !text.lowercased().allSatisfy { $0.isNumber || $0.isWhitespace || $0 == "." || $0 == "," || $0 == "m" }
    }
}
