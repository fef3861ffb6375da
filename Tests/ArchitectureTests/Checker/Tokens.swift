extension SwiftSource {
    /// A word or a sign of the code.
    struct Token: Equatable {
        let text: String
        let line: Int
        /// Whether a statement can begin here: at the start of a line, after a brace or after a semicolon.
        let opensStatement: Bool

        /// The sign that closes this one, where it is one that opens.
        var closing: String? {
            switch text {
            case "{": "}"
            case "(": ")"
            case "[": "]"
            default: nil
            }
        }
    }

    /// The words and signs of the code, without its compiler directives.
    ///
    /// A name in backticks is one token with them, so that it is no keyword; an attribute has its `@`.
    func tokens() -> [Token] {
        var tokens: [Token] = []
        for (index, line) in lines.enumerated() where !Self.isDirective(line) {
            var rest = line[...]
            var isFirst = true
            while let character = rest.first {
                let text = rest.prefix(Self.length(ofTokenAt: rest))
                rest = rest.dropFirst(text.count)
                guard !character.isWhitespace else { continue }
                let opens = isFirst || ["{", "}", ";"].contains(tokens.last?.text)
                tokens.append(Token(text: String(text), line: index + 1, opensStatement: opens))
                isFirst = false
            }
        }
        return tokens
    }

    private static func isDirective(_ line: String) -> Bool {
        let code = line.drop { $0.isWhitespace }
        return ["#if", "#else", "#endif", "#sourceLocation", "#warning", "#error"].contains { code.hasPrefix($0) }
    }

    private static func length(ofTokenAt text: Substring) -> Int {
        guard let first = text.first else { return 0 }
        if first == "`", let end = text.dropFirst().firstIndex(of: "`") {
            return text.distance(from: text.startIndex, to: end) + 1
        }
        let word = text.dropFirst(first == "@" ? 1 : 0).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if !word.isEmpty { return word.count + (first == "@" ? 1 : 0) }
        // An operator is a token of its own, as it can be a function's name.
        let sign = text.prefix { "/=-+!*%<>&|^~?".contains($0) }
        return max(1, sign.count)
    }
}
