/// Ids as people read and write them.
enum ShortId {
    /// How many characters of an id are shown. They are random: among 10,000 records the chance that two
    /// end alike is one in a hundred, and then a longer end tells them apart.
    static let length = 8
    /// How many characters of an id must be given at least.
    static let minimum = 4

    /// The end of an id.
    static func of(_ id: String) -> String { String(id.suffix(length)) }

    /// True for what can be an id or its end.
    static func isPossible(_ text: String) -> Bool {
        text.utf8.count >= minimum && text.utf8.count <= 36
            && text.allSatisfy { $0 == "-" || ($0.isASCII && $0.isHexDigit) }
    }
}
