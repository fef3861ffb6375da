/// The end of a command line as bash's readline sees it: it replaces only what follows the last of its breaks.
struct BashWord {
    /// The words before the one that is being written, without quotes.
    let before: [String]
    /// The word that is being written, without quotes.
    let current: String
    /// How much of ``current`` stays as it is.
    private let kept: String
    private let quote: Character?

    /// - Parameters:
    ///   - line: The command line up to the cursor.
    ///   - breaks: What readline breaks words at (`COMP_WORDBREAKS`).
    init(_ line: String, breaks: String) {
        var words: [String] = []
        var word: String?
        var kept = ""
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
                kept = word ?? ""
            } else if character == " " || character == "\t" || character == "\n" {
                if let ended = word { words.append(ended) }
                word = nil
                kept = ""
            } else {
                word = (word ?? "") + String(character)
                if breaks.contains(character) { kept = word ?? "" }
            }
        }
        before = words
        current = word ?? ""
        self.kept = kept
        self.quote = quote
    }

    /// The text that bash puts in the place of what it replaces; nil where that cannot be written.
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
