import TrendyNotation

/// Ids as people read and write them.
enum ShortId {
    /// How many characters of an id are shown. They are random: among 10,000 records the chance that two
    /// end alike is one in a hundred, and then a longer end tells them apart.
    static let length = 8
    /// How many characters of an id must be given at least.
    static let minimum = 4

    /// The end of an id.
    static func of(_ id: String) -> String { String(id.suffix(length)) }

    /// The id that a person may have meant, as far as it was written; nil where none is near.
    ///
    /// Short texts suggest nothing: among a thousand random ids some are near to any of them.
    static func nearest(to text: String, among ids: [String]) -> String? {
        guard text.count >= 6, text.count <= 40 else { return nil }
        let shown = abs(text.count - length) <= 1 ? length : text.count
        return Suggestion.nearest(to: text, among: ids.map { String($0.suffix(shown)) })
    }

    /// True for an id as it is, and for an end of it that is long enough, in either case.
    static func names(_ text: String, _ id: String) -> Bool {
        id == text || (text.utf8.count >= minimum && id.lowercased().hasSuffix(text.lowercased()))
    }

    /// True for what can be an id that a device has made, or its end; servers may give others.
    static func isPossible(_ text: String) -> Bool {
        text.utf8.count >= minimum && text.utf8.count <= 36
            && text.allSatisfy { $0 == "-" || ($0.isASCII && $0.isHexDigit) }
    }
}
