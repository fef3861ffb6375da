import TrendyNotation

/// The end of a command line as bash's readline sees it. Readline replaces only the text after the last word break.
struct BashWord {
    /// The complete words, without quotes.
    let before: [String]
    /// The word at the cursor, without quotes.
    let current: String
    /// The length of the part of ``current`` that readline keeps.
    private let kept: String
    private let quote: Character?

    /// - Parameters:
    ///   - line: The command line up to the cursor.
    ///   - breaks: The word breaks of readline (`COMP_WORDBREAKS`).
    init(_ line: String, breaks: String) {
        var words: [String] = []
        var kept = ""
        var reader = ShellReader { " \t\n".contains($0) }
        for character in line {
            switch reader.read(character) {
            case .plain: if breaks.contains(character) { kept = reader.word ?? "" }
            case .quoted: break
            case .opening: kept = reader.word ?? ""
            case .blank(let ended):
                if let ended { words.append(ended) }
                kept = ""
            }
        }
        before = words
        current = reader.word ?? ""
        self.kept = kept
        quote = reader.quote
    }

    /// The replacement text for bash; nil if the candidate cannot be written.
    func replacement(_ candidate: String) -> String? {
        guard candidate.count >= kept.count, candidate.lowercased().hasPrefix(kept.lowercased()) else { return nil }
        let rest = candidate.dropFirst(kept.count)
        switch quote {
        case "'": return rest.contains("'") ? nil : String(rest)
        case "\"": return rest.reduce(into: "") { $0 += "\\\"$`".contains($1) ? "\\\($1)" : String($1) }
        default:
            return rest.reduce(into: "") {
                let isPlain = !$1.isASCII || $1.isLetter || $1.isNumber || "_-.,/+@%=:".contains($1)
                $0 += isPlain ? String($1) : "\\\($1)"
            }
        }
    }
}
