import TrendyNotation

/// What can stand in the place of a word that is not written to its end.
struct Completion: Equatable, Sendable {
    /// One word, and what it is.
    struct Candidate: Equatable, Sendable {
        let text: String
        var about: String = ""
    }

    /// What the shell itself knows better.
    enum Files: String, Sendable {
        case files, folders
    }

    var candidates: [Candidate] = []
    /// Whether the names of files fit, too.
    var files: Files?

    init(_ candidates: [Candidate] = [], files: Files? = nil) {
        self.candidates = candidates
        self.files = files
    }

    init(words: [String]) { self.init(words.map { Candidate(text: $0) }) }

    /// The candidates that begin like a word; where none does, those that do in any case.
    ///
    /// What no shell can write on one line is left out.
    func matching(_ word: String) -> Completion {
        let possible = candidates.filter { candidate in
            !candidate.text.isEmpty
                && !candidate.text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        let exact = possible.filter { $0.text.hasPrefix(word) }
        let folded = word.lowercased()
        let found = exact.isEmpty ? possible.filter { $0.text.lowercased().hasPrefix(folded) } : exact
        return Completion(found, files: files)
    }

    /// The candidates with a text before each.
    func prefixed(_ prefix: String) -> Completion {
        Completion(candidates.map { Candidate(text: prefix + $0.text, about: $0.about) }, files: files)
    }
}
