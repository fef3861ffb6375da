import TrendyNotation
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

/// Reads a line of words as a shell does, without expanding anything: quotes, and a backslash before one character.
struct ShellReader {
    /// What a character was.
    enum Step {
        /// Part of a word, as it stands there.
        case plain
        /// Part of a word by a quote or a backslash, or a backslash itself.
        case quoted
        /// The beginning of a quote.
        case opening
        /// A blank, after this word; nil where there was none.
        case blank(after: String?)
    }

    /// The word that has begun, without quotes.
    private(set) var word: String?
    /// The quote that has begun.
    private(set) var quote: Character?
    /// Whether a backslash waits for its character.
    private(set) var isEscaped = false
    let isBlank: (Character) -> Bool

    init(isBlank: @escaping (Character) -> Bool) {
        self.isBlank = isBlank
    }

    mutating func read(_ character: Character) -> Step {
        if isEscaped {
            isEscaped = false
            return add(character, .quoted)
        }
        if character == "\\", quote != "'" {
            isEscaped = true
            return .quoted
        }
        if let quote {
            if character != quote { return add(character, .quoted) }
            self.quote = nil
            return .quoted
        }
        if character == "'" || character == "\"" {
            quote = character
            word = word ?? ""
            return .opening
        }
        guard isBlank(character) else { return add(character, .plain) }
        defer { word = nil }
        return .blank(after: word)
    }

    private mutating func add(_ character: Character, _ step: Step) -> Step {
        word = (word ?? "") + String(character)
        return step
    }
}
