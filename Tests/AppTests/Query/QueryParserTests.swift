import Testing
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@Suite("The syntax of a query")
struct QueryParserTests {
    /// The tree in brackets: `all(coffee size=large)`.
    private func tree(_ arguments: [String], names: [String] = []) throws -> String? {
        try QueryParser.parse(QuerySource(arguments), names: names).map(text)
    }

    private func text(_ node: QueryNode) -> String {
        switch node {
        case .all(let parts): "all(\(parts.map(text).joined(separator: " ")))"
        case .any(let parts): "any(\(parts.map(text).joined(separator: " ")))"
        case .not(let part): "not(\(text(part)))"
        case .word(let word): word.isLiteral ? "'\(word.text)'" : word.text
        case .hashtag(let word): "tag(\(word.text))"
        case .comparison(let comparison):
            "\(comparison.key.text)\(comparison.sign.rawValue)\(comparison.value.text)"
        }
    }

    @Test("'or' binds least, then what stands side by side, then 'not'")
    func precedence() throws {
        for (arguments, expected) in [
            (["coffee"], "coffee"), (["coffee", "size=large"], "all(coffee size=large)"),
            (["coffee size=large"], "all(coffee size=large)"), (["a b or c not d"], "any(all(a b) all(c not(d)))"),
            (["a and b"], "all(a b)"), (["not", "not", "a"], "not(not(a))"),
            (["(", "a", "or", "b", ")", "c"], "all(any(a b) c)"),
            (["(a or b)c"], "all(any(a b) c)"), (["not (a b)"], "not(any(all(a b)))"), (["A OR B"], "any(A B)"),
        ] { #expect(try tree(arguments) == expected, "\(arguments)") }
        #expect(try tree([]) == nil)
    }

    @Test("signs stand with blanks around them or without, and values end where they must")
    func comparisons() throws {
        for (argument, expected) in [
            ("km<1", "km<1"), ("km <= 5km", "km<=5km"), ("km!=3", "km!=3"), ("km==3", "km==3"), ("note!~x", "note!~x"),
            ("since:9:15", "since:9:15"), ("on:2026-11-20T14:30", "on:2026-11-20T14:30"), ("size=", "size="),
            ("size= coffee", "all(size= coffee)"), ("note~\"with Ann\" tea", "all(note~with Ann tea)"),
            ("note~it's", "note~it's"), ("(km<1)", "km<1"), ("note~a(b)c", "note~a(b)c"), ("'or'=x", "or=x"),
            ("#park", "tag(#park)"), ("(#a or #b)", "any(tag(#a) tag(#b))"), ("type:not", "'not'"), ("wow!", "wow!"),
        ] { #expect(try tree([argument]) == expected, "\(argument)") }
        #expect(try tree(["km", ">", "3"]) == "km>3")
    }

    @Test("a name with blanks or signs is read whole, as far as its argument goes")
    func names() throws {
        let names = ["Morning run", "run (long)", "a=b", "not", "Été (km)", "Straße Lauf"]
        for (arguments, expected) in [
            (["morning run"], "'morning run'"), (["morning", "run"], "all(morning run)"),
            (["tea or run (long) size=x"], "any(tea all('run (long)' size=x))"), (["a=b"], "'a=b'"), (["a=bc"], "a=bc"),
            (["e\u{301}TÉ (km)>5"], "e\u{301}TÉ (km)>5"), (["not a"], "not(a)"),
            (["morning runs"], "all(morning runs)"), (["STRASSE  lauf tea"], "all('STRASSE  lauf' tea)"),
        ] { #expect(try tree(arguments, names: names) == expected, "\(arguments)") }
    }

    @Test("what is wrong is found where it stands, and nothing is too much")
    func failures() throws {
        for (query, place) in [
            ("(coffee", "("), ("coffee)", ")"), ("tea ()", "()"), ("a or", "or"), ("or a", "or"), ("not", "not"),
            ("a and", "and"),
            ("=x", "="), ("a note~\"b c", "\"b c"), ("a not or b", "not"), ("(a or)", "or"), ("and a", "and"),
        ] {
            let source = QuerySource([query])
            let failure = #expect(throws: QueryFailure.self) { try QueryParser.parse(source) }
            #expect(failure.map { source[$0.range] } == place, "\(query): \(failure?.message ?? "")")
        }
        for word in ["(", "not ", "a or ", "x=1 "] {
            let many = QuerySource([String(repeating: word, count: 50_000)])
            #expect(throws: QueryFailure.self) { try QueryParser.parse(many) }
        }
    }

    @Test("any text is read or refused")
    func anything() {
        let pieces = [
            "(", ")", "a", "=", "\"", "'", " ", "not", "or", "#", "~", "!", ":", "<", "é", "🏃", "\n", "\0", "and ",
        ]
        var state: UInt64 = 1
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<(state % 12) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let source = QuerySource([text])
            do { _ = try QueryParser.parse(source, names: ["a é", "(", "not"]) } catch {
                #expect(!error.placed(in: source).message.isEmpty)
            }
        }
    }
}
