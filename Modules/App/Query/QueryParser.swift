import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Reads how the words of a query belong together: `or` binds least, then what stands side by side, then `not`.
struct QueryParser {
    /// More parts, or more levels of parentheses, nobody writes, and no database takes them without end.
    static let limit = 200

    private let tokens: [QueryLexer.Token]
    private let end: Int
    private var place = 0
    private var depth = 0

    /// The syntax tree of a query; nil where it has no words.
    ///
    /// - Parameter names: Those of types and properties: what is written like one of them is read whole.
    static func parse(_ source: QuerySource, names: [String] = []) throws(QueryFailure) -> QueryNode? {
        var lexer = QueryLexer(source, names: names)
        let tokens = try lexer.tokens()
        if tokens.isEmpty { return nil }
        if tokens.count > limit {
            let range = tokens[limit].range.lowerBound..<source.characters.count
            throw QueryFailure(message: "a query has at most \(limit) words", range: range)
        }
        var parser = QueryParser(tokens: tokens, end: source.characters.count)
        let node = try parser.alternatives()
        if let rest = parser.next {
            throw QueryFailure(
                message: "')' has no '(' before it; take it away, or write the name in quotes", range: rest.range)
        }
        return node
    }

    private init(tokens: [QueryLexer.Token], end: Int) {
        self.tokens = tokens
        self.end = end
    }

    private var next: QueryLexer.Token? { place < tokens.count ? tokens[place] : nil }

    private mutating func skip(_ keyword: QueryLexer.Keyword) -> Range<Int>? {
        guard case .keyword(keyword, let range)? = next else { return nil }
        place += 1
        return range
    }

    private mutating func alternatives() throws(QueryFailure) -> QueryNode {
        var parts = [try sequence(after: nil)]
        while let range = skip(.or) { parts.append(try sequence(after: range)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    /// - Parameter word: The `or` or the parenthesis that it follows.
    private mutating func sequence(after word: Range<Int>?) throws(QueryFailure) -> QueryNode {
        var parts: [QueryNode] = []
        var open = word
        while let token = next {
            if case .close = token { break }
            if case .keyword(.or, _) = token { break }
            if let range = skip(.and) {
                guard !parts.isEmpty else { throw Self.missing(before: range, "and") }
                open = range
                continue
            }
            parts.append(try item())
            open = nil
        }
        if let open, !parts.isEmpty { throw missing(after: open) }
        if parts.isEmpty {
            if case .keyword(.or, let range)? = next { throw Self.missing(before: range, "or") }
            throw missing(after: word ?? next?.range ?? 0..<end)
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func item() throws(QueryFailure) -> QueryNode {
        if let range = skip(.not) {
            guard let token = next else { throw missing(after: range) }
            if case .close = token { throw missing(after: range) }
            if case .keyword(.or, _) = token { throw missing(after: range) }
            if case .keyword(.and, _) = token { throw missing(after: range) }
            return .not(try item())
        }
        guard let token = next else { throw missing(after: 0..<end) }
        place += 1
        switch token {
        case .word(let word): return .word(word)
        case .hashtag(let word): return .hashtag(word)
        case .comparison(let comparison): return Self.named(comparison) ?? .comparison(comparison)
        case .open(let range): return try group(range)
        case .close(let range), .keyword(_, let range): throw missing(after: range)
        }
    }

    private mutating func group(_ open: Range<Int>) throws(QueryFailure) -> QueryNode {
        if case .close(let range)? = next {
            throw QueryFailure(
                message: "there is nothing between '(' and ')'", range: open.lowerBound..<range.upperBound)
        }
        let inside = try alternatives()
        guard case .close? = next else {
            throw QueryFailure(message: "'(' has no ')' behind it; add one, or write the name in quotes", range: open)
        }
        place += 1
        // A group is one item, whatever stands beside it.
        if case .all = inside { return .any([inside]) }
        return inside
    }

    /// `type:NAME` is the name by itself, however that reads; nil for any other comparison.
    private static func named(_ comparison: QueryComparison) -> QueryNode? {
        guard !comparison.key.isLiteral, comparison.key.text.lowercased() == "type",
            [.colon, .equal, .same].contains(comparison.sign)
        else { return nil }
        let value = comparison.value
        return .word(QueryWord(text: value.text, range: comparison.range, argument: value.argument, isLiteral: true))
    }

    private func missing(after range: Range<Int>) -> QueryFailure {
        QueryFailure(
            message: "something is missing behind this; write a type or a condition, like size=large", range: range)
    }

    private static func missing(before range: Range<Int>, _ word: String) -> QueryFailure {
        QueryFailure(
            message: "there is nothing before '\(word)'; a type of that name is written type:\(word)", range: range)
    }
}
