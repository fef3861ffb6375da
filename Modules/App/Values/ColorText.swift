import TrendyNotation
import TrendyTerminal

/// Colours of event types.
enum ColorText {
    /// The `#RRGGBB` that `#rgb`, `rrggbb` or a common name means.
    ///
    /// - Throws: ``CommandFailure`` that says how a colour is written.
    static func parse(_ text: String) throws(CommandFailure) -> String {
        if let hex = names[text.lowercased()] { return hex }
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        let isHex = digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        switch digits.count {
        case 6 where isHex: return "#" + digits.uppercased()
        case 3 where isHex: return "#" + digits.uppercased().map { "\($0)\($0)" }.joined()
        default:
            let near = Suggestion.nearest(to: text, among: known).map { "; did you mean '\($0)'?" } ?? ""
            throw .data(
                "'\(text)' is no colour; write it like #3B82F6, or one of \(known.joined(separator: ", "))\(near)")
        }
    }

    /// The names that are known.
    static var known: [String] { names.keys.sorted() }

    private static let names = [
        "black": "#000000", "blue": "#3B82F6", "brown": "#92400E", "cyan": "#06B6D4", "gray": "#6B7280",
        "green": "#22C55E", "grey": "#6B7280", "indigo": "#6366F1", "orange": "#F97316", "pink": "#EC4899",
        "purple": "#A855F7", "red": "#EF4444", "teal": "#14B8A6", "white": "#FFFFFF", "yellow": "#EAB308",
    ]
}
