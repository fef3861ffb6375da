import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Splits the text of a query into words, comparisons and parentheses.
struct QueryLexer {
    enum Token: Equatable {
        case open(Range<Int>)
        case close(Range<Int>)
        case keyword(Keyword, Range<Int>)
        case word(QueryWord)
        case hashtag(QueryWord)
        case comparison(QueryComparison)

        var range: Range<Int> {
            switch self {
            case .open(let range), .close(let range), .keyword(_, let range): range
            case .word(let word), .hashtag(let word): word.range
            case .comparison(let comparison): comparison.range
            }
        }
    }

    enum Keyword: String {
        case and, or, not
    }

    private let source: QuerySource
    /// The names that contain spaces or operators.
    private let names: Set<NameKey>
    private var place = 0

    /// - Parameter names: The names that are read as one word, even with spaces or operators in them.
    init(_ source: QuerySource, names: [String]) {
        self.source = source
        self.names = Set(names.filter { !Self.isOneWord($0) }.map { NameKey($0) })
    }

    /// Whether a name has no spaces or operators.
    private static func isOneWord(_ name: String) -> Bool {
        Keyword(rawValue: name.lowercased()) == nil
            && !name.contains { $0.isWhitespace || "()\"=<>~:!#".contains($0) } && !name.hasPrefix("'")
    }

    private var characters: [Character] { source.characters }

    mutating func tokens() throws(QueryFailure) -> [Token] {
        var tokens: [Token] = []
        while skipBlanks() < characters.count {
            let start = place
            switch characters[place] {
            case "(":
                place += 1
                tokens.append(.open(start..<place))
            case ")":
                place += 1
                tokens.append(.close(start..<place))
            case "#" where nameLength == nil:
                tokens.append(.hashtag(bareWord { $0.isWhitespace || $0 == "(" || $0 == ")" }))
            default: tokens.append(try term())
            }
        }
        return tokens
    }

    /// Skips blanks, and returns the place of the next character.
    @discardableResult
    private mutating func skipBlanks() -> Int {
        while place < characters.count, characters[place].isWhitespace { place += 1 }
        return place
    }

    private mutating func term() throws(QueryFailure) -> Token {
        let word = try key()
        let end = place
        let hasGap = skipBlanks() > end
        if let sign = sign(), !(hasGap && sign == .colon) {
            guard !word.text.isEmpty || word.isLiteral else {
                throw QueryFailure(
                    message: "'\(sign.rawValue)' needs a name before it, like size=large",
                    range: place..<(place + sign.rawValue.count))
            }
            place += sign.rawValue.count
            if hasGap { skipBlanks() }
            return .comparison(QueryComparison(key: word, sign: sign, value: try value()))
        }
        place = end
        if !word.isLiteral, let keyword = Keyword(rawValue: word.text.lowercased()) {
            return .keyword(keyword, word.range)
        }
        return .word(word)
    }

    private func sign() -> QueryComparison.Sign? {
        QueryComparison.Sign.allCases.first { characters[place...].starts(with: Array($0.rawValue)) }
    }

    private mutating func key() throws(QueryFailure) -> QueryWord {
        if let length = nameLength {
            let start = place
            place += length
            return word(start, text: source[start..<place], isLiteral: true)
        }
        if let quoted = try quoted() { return quoted }
        let start = place
        while place < characters.count, !Self.endsWord(characters[place]), sign() == nil { place += 1 }
        return word(start, text: source[start..<place])
    }

    private static func endsWord(_ character: Character) -> Bool { character.isWhitespace || "()".contains(character) }

    private mutating func value() throws(QueryFailure) -> QueryWord {
        if let quoted = try quoted() { return quoted }
        var depth = 0
        return bareWord { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character.isWhitespace || depth < 0
        }
    }

    private mutating func bareWord(until isEnd: (Character) -> Bool) -> QueryWord {
        let start = place
        while place < characters.count, !isEnd(characters[place]) { place += 1 }
        return word(start, text: source[start..<place])
    }

    /// A text in quotes; nil if none begins here.
    private mutating func quoted() throws(QueryFailure) -> QueryWord? {
        guard place < characters.count, characters[place] == "\"" || characters[place] == "'" else { return nil }
        let quote = characters[place]
        let start = place
        guard let end = characters[(start + 1)...].firstIndex(of: quote) else {
            throw QueryFailure(message: "the closing quote \(quote) is missing", range: start..<characters.count)
        }
        place = end + 1
        return word(start, text: source[(start + 1)..<end], isLiteral: true)
    }

    /// The length of the longest name at this place; nil for none.
    private var nameLength: Int? {
        let limit = source.end(ofArgumentAt: place)
        if names.isEmpty || place >= limit { return nil }
        return (place + 1...limit).reversed().first { end in
            let next = end < limit ? characters[end] : nil
            guard next.map({ Self.endsWord($0) || "=<>~:!".contains($0) }) ?? true, !characters[end - 1].isWhitespace
            else { return false }
            let name = NameKey(source[place..<end])
            // A type called 'not' must not change the meaning of `not coffee`.
            if Keyword(rawValue: name.text) != nil, !(next.map { "=<>~!".contains($0) } ?? false) { return false }
            return names.contains(name)
        }
        .map { $0 - place }
    }

    private func word(_ start: Int, text: String, isLiteral: Bool = false) -> QueryWord {
        QueryWord(text: text, range: start..<place, argument: source.argument(at: start), isLiteral: isLiteral)
    }
}
