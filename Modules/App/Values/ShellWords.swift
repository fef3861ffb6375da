import TrendyTerminal

/// Splits a line into words as a shell does, without expanding anything.
enum ShellWords {
    /// - Throws: ``CommandFailure`` where a quote has no end.
    static func split(_ line: String) throws(CommandFailure) -> [String] {
        var words: [String] = []
        var reader = ShellReader(isBlank: \.isWhitespace)
        for character in line {
            // The rest is a comment.
            if character == "#", reader.word == nil, !reader.isEscaped { break }
            if case .blank(after: let ended?) = reader.read(character) { words.append(ended) }
        }
        if let quote = reader.quote { throw .data("the quote \(quote) has no end") }
        let rest = reader.isEscaped ? (reader.word ?? "") + "\\" : reader.word
        if let rest { words.append(rest) }
        return words
    }
}
