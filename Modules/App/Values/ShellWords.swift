import TrendyNotation
import TrendyTerminal

/// Splits a line into words as a shell does, without expanding anything.
enum ShellWords {
    /// - Throws: ``CommandFailure`` if a closing quote is missing.
    static func split(_ line: String) throws(CommandFailure) -> [String] {
        var words: [String] = []
        var reader = ShellReader(isBlank: \.isWhitespace)
        for character in line {
            // The rest is a comment.
            if character == "#", reader.word == nil, !reader.isEscaped { break }
            if case .blank(after: let ended?) = reader.read(character) { words.append(ended) }
        }
        if let quote = reader.quote { throw .data("the closing quote \(quote) is missing") }
        let rest = reader.isEscaped ? (reader.word ?? "") + "\\" : reader.word
        if let rest { words.append(rest) }
        return words
    }
}

/// Reads a line of words as a shell does, without expanding anything: quotes, and a backslash before one character.
struct ShellReader {
    /// The meaning of a character.
    enum Step {
        /// An unquoted part of a word.
        case plain
        /// A quoted or escaped part of a word, or a backslash.
        case quoted
        /// An opening quote.
        case opening
        /// A blank after this word; nil if there was no word.
        case blank(after: String?)
    }

    /// The present word, without quotes.
    private(set) var word: String?
    /// The opening quote of the present text.
    private(set) var quote: Character?
    /// Whether the last character was a backslash.
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
