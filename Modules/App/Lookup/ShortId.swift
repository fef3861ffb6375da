import TrendyNotation

/// The short form of ids for people.
enum ShortId {
    /// The number of shown characters, from the random end of the id. Among 10,000 records, two have the same end with a
    /// probability of one percent; then a longer end is needed.
    static let length = 8
    /// The minimum number of characters that a person must type.
    static let minimum = 4

    /// The end of an id.
    static func of(_ id: String) -> String { String(id.suffix(length)) }

    /// The most similar id, shortened to the length of the text; nil if none is similar.
    ///
    /// Short texts get no suggestion, because they are similar to too many random ids.
    static func nearest(to text: String, among ids: [String]) -> String? {
        guard text.count >= 6, text.count <= 40 else { return nil }
        let shown = abs(text.count - length) <= 1 ? length : text.count
        return Suggestion.nearest(to: text, among: ids.map { String($0.suffix(shown)) })
    }

    /// Whether a text is an id or a sufficient end of it, ignoring case.
    static func names(_ text: String, _ id: String) -> Bool {
        id == text || (text.utf8.count >= minimum && id.lowercased().hasSuffix(text.lowercased()))
    }

    /// Whether a text can be an id of a device, or its end. Servers may use other ids.
    static func isPossible(_ text: String) -> Bool {
        text.utf8.count >= minimum && text.utf8.count <= 36
            && text.allSatisfy { $0 == "-" || ($0.isASCII && $0.isHexDigit) }
    }
}
