import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Converts the syntax tree of a query into a condition, with the names of this device.
struct QueryResolver {
    let vocabulary: QueryVocabulary
    let source: QuerySource
    /// The numeric properties that the query compares, in their order.
    private(set) var measured: [PropertyDefinition] = []
    /// Whether the query selects running events.
    private(set) var asksWhatRuns = false

    init(_ vocabulary: QueryVocabulary, _ source: QuerySource) {
        self.vocabulary = vocabulary
        self.source = source
    }

    /// The condition of a node.
    ///
    /// - Parameter scope: The ids of the possible types; nil for all.
    mutating func condition(_ node: QueryNode, in scope: Set<String>? = nil) throws -> EventCondition {
        switch node {
        case .all(let parts): return try sequence(parts, in: scope)
        case .any(let parts):
            if let types = try types(node) { return .type(in: types) }
            return .any(try parts.map { try condition($0, in: scope) })
        case .not(let part): return .not(try condition(part, in: scope))
        case .word, .comparison: return try sequence([node], in: scope)
        case .hashtag(let word): return try hashtag(word)
        }
    }

    // MARK: Types

    /// The types that a node selects; nil if it has other conditions.
    private func types(_ node: QueryNode) throws -> Set<String>? {
        switch node {
        case .word(let word): return try types(named: word)
        case .comparison(let comparison):
            guard QueryField(comparison.key.text) == .type, !comparison.key.isLiteral else { return nil }
            guard comparison.sign == .notEqual else {
                throw QueryFailure(message: "write a type as type:NAME", range: node.range)
            }
            return vocabulary.typeIds.subtracting(try types(named: comparison.value))
        case .any(let parts), .all(let parts):
            var all: Set<String> = []
            for part in parts {
                guard let types = try types(part) else { return nil }
                all.formUnion(types)
            }
            return all
        case .not(let part): return try types(part).map { vocabulary.typeIds.subtracting($0) }
        case .hashtag: return nil
        }
    }

    /// The type that a word names, or all types whose names are the same.
    private func types(named word: QueryWord) throws -> Set<String> {
        try at(word.range) {
            let same = try vocabulary.lookup.types(named: word.text)
            if !same.isEmpty { return Set(same.map(\.id)) }
            do { return [try vocabulary.lookup.type(word.text).id] } catch let unknown as UnknownType {
                throw QueryFailure(message: unknownWord(word, unknown), range: word.range, status: .data)
            }
        }
    }

    /// The error for a word that is not a type: it may be a value or a key.
    private func unknownWord(_ word: QueryWord, _ unknown: UnknownType) -> String {
        let folded = word.text.lowercased()
        if unknown.nearest == nil || unknown.nearest?.lowercased() != folded {
            let options = vocabulary.definitions.first {
                $0.options?.contains { Names.areSame($0, word.text) } ?? false
            }
            if let key = options?.key {
                return "there is no type '\(word.text)'; did you mean '\(key)=\(word.text)'?"
            }
            if QueryState(rawValue: folded) != nil {
                return "there is no type '\(word.text)'; did you mean 'is:\(folded)'?"
            }
            if let field = QueryField(word.text) {
                return "there is no type '\(word.text)'; did you mean '\(field.spelling)…'? ('trendy help filters')"
            }
            if let key = vocabulary.keys(in: nil).first(where: { Names.areSame($0, word.text) }) {
                return
                    "there is no type '\(word.text)'; compare a property like '\(key)=…' ('trendy help filters')"
            }
        }
        return unknown.message
    }

    // MARK: Adjacent conditions

    /// Adjacent types are alternatives, because an event has one type; all other adjacent conditions must hold.
    private mutating func sequence(_ parts: [QueryNode], in scope: Set<String>?) throws -> EventCondition {
        // Words after a comparison can belong to its value.
        let firm = parts.indices.filter { index in
            guard case .word(let word) = parts[index], !word.isLiteral else { return true }
            return run(endingAt: index, in: parts) == nil
        }
        .map { parts[$0] }
        let chosen = try firm.filter { if case .word = $0 { false } else { true } }.compactMap(types)
        // The remaining words are types, which determine the units of the comparisons.
        let rest = try rest(parts, in: Self.scope(try names(firm), chosen, scope))
        let named = try names(firm + rest)
        let inner = Self.scope(named, chosen, scope)
        var conditions: [EventCondition] = named.map { [.type(in: $0)] } ?? []
        conditions += try comparisons(parts, in: inner).conditions
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    /// The words after comparisons that do not belong to the values; if a comparison cannot be read yet, those that name
    /// types.
    private func rest(_ parts: [QueryNode], in scope: Set<String>?) throws -> [QueryNode] {
        var reading = self
        do { return try reading.comparisons(parts, in: scope).rest } catch is QueryFailure {
            return parts.indices.filter { index in
                guard case .word(let word) = parts[index], run(endingAt: index, in: parts) != nil else { return false }
                return (try? types(named: word)) != nil
            }
            .map { parts[$0] }
        }
    }

    /// The types that the words of some nodes name; nil for none.
    private func names(_ nodes: [QueryNode]) throws -> Set<String>? {
        let words = nodes.compactMap { if case .word(let word) = $0 { word } else { nil } }
        return words.isEmpty ? nil : Set(try words.flatMap(types(named:)))
    }

    private static func scope(_ named: Set<String>?, _ chosen: [Set<String>], _ outer: Set<String>?) -> Set<String>? {
        let all = [named, outer].compactMap { $0 } + chosen
        guard let first = all.first else { return nil }
        return all.dropFirst().reduce(first) { $0.intersection($1) }
    }

    /// The place of the comparison before a word, with only words between them.
    private func run(endingAt index: Int, in parts: [QueryNode]) -> Int? {
        var place = index
        while place > 0 {
            let gap = parts[place - 1].range.upperBound..<parts[place].range.lowerBound
            guard gap.lowerBound <= gap.upperBound, source[gap].allSatisfy(\.isWhitespace) else { return nil }
            if let comparison = Self.comparison(parts[place - 1]) {
                return comparison.value.isLiteral ? nil : place - 1
            }
            guard case .word(let word) = parts[place - 1], !word.isLiteral else { return nil }
            place -= 1
        }
        return nil
    }

    /// The comparison of a node, which may be negated; nil for another node.
    private static func comparison(_ node: QueryNode) -> QueryComparison? {
        switch node {
        case .comparison(let comparison): comparison
        case .not(let part): comparison(part)
        default: nil
        }
    }

    /// Reads the nodes that are not words. Words after a comparison that do not belong to its value remain.
    private mutating func comparisons(
        _ parts: [QueryNode], in scope: Set<String>?
    ) throws -> (conditions: [EventCondition], rest: [QueryNode]) {
        var conditions: [EventCondition] = []
        var rest: [QueryNode] = []
        var index = 0
        while index < parts.count {
            let node = parts[index]
            index += 1
            if case .word = node { continue }
            guard let comparison = Self.comparison(node) else {
                conditions.append(try condition(node, in: scope))
                continue
            }
            let followers = parts[index...].indices.prefix { place in
                guard case .word(let word) = parts[place], !word.isLiteral else { return false }
                return run(endingAt: place, in: parts) != nil
            }
            let words = followers.compactMap { if case .word(let word) = parts[$0] { word } else { nil } }
            let (condition, used) = try read(comparison, before: words, in: scope)
            conditions.append(Self.rewrapped(node, condition))
            rest += words.dropFirst(used).map(QueryNode.word)
            index += words.count
        }
        return (conditions, rest)
    }

    private static func rewrapped(_ node: QueryNode, _ condition: EventCondition) -> EventCondition {
        guard case .not(let part) = node else { return condition }
        return .not(rewrapped(part, condition))
    }

    /// Reads a comparison. Its value may contain blanks: up to the end of its argument, or as many words as needed.
    ///
    /// - Returns: The condition, and the number of following words that belong to the value.
    private mutating func read(
        _ comparison: QueryComparison, before words: [QueryWord], in scope: Set<String>?
    ) throws -> (EventCondition, used: Int) {
        let own = words.prefix { $0.argument == comparison.value.argument }.count
        let canGoOn = !comparison.value.text.isEmpty
        let counts = canGoOn ? Array((0...own).reversed()) + Array((own + 1)..<(words.count + 1)) : [0]
        var failure: QueryFailure?
        for count in counts {
            let end = count == 0 ? comparison.value.range.upperBound : words[count - 1].range.upperBound
            let range = comparison.value.range.lowerBound..<end
            let text = count == 0 ? comparison.value.text : source[range]
            let value = QueryWord(text: text, range: range, isLiteral: comparison.value.isLiteral)
            do {
                let whole = QueryComparison(key: comparison.key, sign: comparison.sign, value: value)
                return (try condition(whole, in: scope), count)
            } catch let wrong as QueryFailure { failure = failure ?? wrong }
        }
        throw failure
            ?? QueryFailure(
                message: "this condition is incomplete; write it like size=large", range: comparison.value.range)
    }

    private mutating func condition(_ comparison: QueryComparison, in scope: Set<String>?) throws -> EventCondition {
        let key = comparison.key
        let field = key.isLiteral ? nil : QueryField(key.text)
        if let field, !field.yieldsToProperty || vocabulary.definitions(of: key.text, in: scope).isEmpty {
            return try condition(field, comparison)
        }
        return try property(comparison, in: scope)
    }

    mutating func noteMeasured(_ definition: PropertyDefinition) {
        if !measured.contains(where: { Names.areSame($0.key, definition.key) }) { measured.append(definition) }
    }

    mutating func noteRunning() { asksWhatRuns = true }

    // MARK: Errors

    /// Adds the place of a part to its error.
    func at<Result>(_ range: Range<Int>, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch  where error is CommandFailure || error is InputError {
            let failure = CommandFailure(error)
            throw QueryFailure(message: failure.message, range: range, status: failure.status)
        }
    }

    func hashtag(_ word: QueryWord) throws -> EventCondition {
        guard let tag = Hashtag(word.text) else {
            throw QueryFailure(message: "'#' must be followed by a word, like '#park'", range: word.range)
        }
        return .hashtag(tag)
    }

    /// The condition of `type:NAME`.
    func typeCondition(_ comparison: QueryComparison) throws -> EventCondition {
        .type(in: try types(.comparison(comparison)) ?? [])
    }
}
