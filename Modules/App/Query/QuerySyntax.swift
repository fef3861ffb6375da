import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The syntax tree of a query, before the names are resolved.
indirect enum QueryNode: Equatable {
    /// Adjacent conditions.
    case all([QueryNode])
    /// Alternatives.
    case any([QueryNode])
    case not(QueryNode)
    /// A single word: the name of a type.
    case word(QueryWord)
    /// A word with `#` before it.
    case hashtag(QueryWord)
    case comparison(QueryComparison)

    /// The place in the text of the query.
    var range: Range<Int> {
        switch self {
        case .all(let parts), .any(let parts):
            let (first, last) = (parts.first?.range, parts.last?.range)
            return (first?.lowerBound ?? 0)..<(last?.upperBound ?? 0)
        case .not(let part): return part.range
        case .word(let word), .hashtag(let word): return word.range
        case .comparison(let comparison): return comparison.range
        }
    }
}

/// A word of a query, without its quotes.
struct QueryWord: Equatable {
    let text: String
    /// The place in the text of the query, with the quotes.
    let range: Range<Int>
    /// The argument of the command line that contains it.
    var argument = 0
    /// Whether it is not a keyword: it has quotes, or is a name from the vocabulary.
    var isLiteral = false
}

/// `size=large`, `price > 3`, `since:monday`.
struct QueryComparison: Equatable {
    enum Sign: String, CaseIterable {
        case notEqual = "!="
        case notContains = "!~"
        case atMost = "<="
        case atLeast = ">="
        case same = "=="
        case equal = "="
        case less = "<"
        case more = ">"
        case contains = "~"
        case colon = ":"
    }

    let key: QueryWord
    let sign: Sign
    /// The value; an empty word if there is none.
    let value: QueryWord

    var range: Range<Int> { key.range.lowerBound..<value.range.upperBound }
}

/// The text of a query, with the command-line argument of each place.
struct QuerySource: Equatable {
    /// The arguments, joined by blanks.
    let characters: [Character]
    private let ends: [Int]

    init(_ arguments: [String]) {
        var characters: [Character] = []
        var ends: [Int] = []
        for argument in arguments {
            if !characters.isEmpty { characters.append(" ") }
            characters += Array(argument)
            ends.append(characters.count)
        }
        self.characters = characters
        self.ends = ends
    }

    var text: String { String(characters) }

    func argument(at place: Int) -> Int { ends.firstIndex { place < $0 } ?? max(0, ends.count - 1) }

    /// The end of the argument that contains a place.
    func end(ofArgumentAt place: Int) -> Int { ends.first { place < $0 } ?? characters.count }

    subscript(range: Range<Int>) -> String { String(characters[range.clamped(to: 0..<characters.count)]) }
}

/// An error in a query, with its place.
struct QueryFailure: Error, Equatable {
    let message: String
    let range: Range<Int>
    /// The exit code.
    var status = CommandStatus.usage

    /// The error of the command, with the place marked below, unless the whole query is wrong.
    func placed(in source: QuerySource) -> CommandFailure {
        var failure = CommandFailure(status, message)
        let range = range.clamped(to: 0..<source.characters.count)
        if range.count < source.characters.count { failure.excerpt = Self.excerpt(source.characters, range) }
        return failure
    }

    private static let width = 76

    /// The query, or the part of it that fits on a line, with marks below the place.
    private static func excerpt(_ characters: [Character], _ range: Range<Int>) -> [String] {
        let plain = characters.map { character in
            let isBlank =
                character.isWhitespace
                || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            return isBlank ? " " : character
        }
        let start = String(plain).columns <= width ? 0 : max(0, min(range.lowerBound - width / 3, plain.count - width))
        let before = (start > 0 ? "…" : "") + String(plain[start..<max(start, range.lowerBound)])
        let shown = String(plain[start...].prefix(width))
        let marked = String(plain[range.clamped(to: start..<min(plain.count, start + width))])
        let line = (start > 0 ? "…" : "") + shown + (start + width < plain.count ? "…" : "")
        return [
            line, String(repeating: " ", count: before.columns) + String(repeating: "^", count: max(1, marked.columns)),
        ]
    }
}
