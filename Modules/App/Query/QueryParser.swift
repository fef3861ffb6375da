import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Parses a query into its syntax tree. `not` binds tighter than adjacent conditions (and), and those tighter than `or`.
struct QueryParser {
    /// The maximum number of words and of nested parentheses; databases limit them, too.
    static let limit = 200

    private let tokens: [QueryLexer.Token]
    private let end: Int
    private var place = 0
    private var depth = 0

    /// The syntax tree of a query; nil for a query without words.
    ///
    /// - Parameter names: The names of types and properties, which are read as one word each.
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
                message: "')' has no '('; remove it, or put the name in quotes", range: rest.range)
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

    /// - Parameter word: The preceding `or` or parenthesis.
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
                message: "the parentheses are empty; write a condition between them, or remove them",
                range: open.lowerBound..<range.upperBound)
        }
        let inside = try alternatives()
        guard case .close? = next else {
            throw QueryFailure(message: "'(' has no ')'; add one, or put the name in quotes", range: open)
        }
        place += 1
        // A group in parentheses is one item.
        if case .all = inside { return .any([inside]) }
        return inside
    }

    /// The name in `type:NAME`, which may look like a keyword; nil for another comparison.
    private static func named(_ comparison: QueryComparison) -> QueryNode? {
        guard !comparison.key.isLiteral, comparison.key.text.lowercased() == "type",
            [.colon, .equal, .same].contains(comparison.sign)
        else { return nil }
        let value = comparison.value
        return .word(QueryWord(text: value.text, range: comparison.range, argument: value.argument, isLiteral: true))
    }

    private func missing(after range: Range<Int>) -> QueryFailure {
        QueryFailure(
            message: "a type or a condition must follow, like size=large", range: range)
    }

    private static func missing(before range: Range<Int>, _ word: String) -> QueryFailure {
        QueryFailure(
            message: "there must be a condition before '\(word)'; write a type with this name as type:\(word)",
            range: range)
    }
}
