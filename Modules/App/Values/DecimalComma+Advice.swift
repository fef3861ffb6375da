import TrendyNotation

/// Says how a number with a comma is written here.
extension DecimalComma {
    /// The options that take numbers with a fraction; the other ones take whole numbers.
    private static let fractionOptions = ["--lat", "--lon", "--radius"]

    /// The message for an option's number that has a comma; nil where the parser says something else.
    ///
    /// - Parameter said: The parser's own message.
    static func message(inPlaceOf said: String) -> String? {
        let parts = said.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "The value ", parts[2] == " is invalid for " else { return nil }
        let (text, option) = (String(parts[1]), parts[3].prefix { $0 != " " })
        guard fractionOptions.contains(String(option)), NumberText.parse(withPoint(text)) != nil,
            let advice = advice(text)
        else { return nil }
        return "\(said); \(advice)"
    }
}
