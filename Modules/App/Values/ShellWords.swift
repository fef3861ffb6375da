/// Splits a line into words as a shell does, without expanding anything: quotes, and a backslash before one character.
enum ShellWords {
    /// - Throws: ``CommandFailure`` where a quote has no end.
    static func split(_ line: String) throws(CommandFailure) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let ended = word { words.append(ended) }
                word = nil
            } else if character == "#", word == nil {
                break
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw .data("the quote \(quote) has no end") }
        if isEscaped { word = (word ?? "") + "\\" }
        if let word { words.append(word) }
        return words
    }
}
