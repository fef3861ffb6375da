import TrendyNotation

/// The completions of a word.
struct Completion: Equatable, Sendable {
    /// A word with a description.
    struct Candidate: Equatable, Sendable {
        let text: String
        var about: String = ""
    }

    /// The completions that the shell itself provides.
    enum Files: String, Sendable {
        case files, folders
    }

    var candidates: [Candidate] = []
    /// Whether file names are possible, too.
    var files: Files?

    init(_ candidates: [Candidate] = [], files: Files? = nil) {
        self.candidates = candidates
        self.files = files
    }

    init(words: [String]) { self.init(words.map { Candidate(text: $0) }) }

    /// The candidates that begin with a word; if there are none, those that do so ignoring case.
    ///
    /// Candidates with line breaks are left out.
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

    /// The candidates with a prefix.
    func prefixed(_ prefix: String) -> Completion {
        Completion(candidates.map { Candidate(text: prefix + $0.text, about: $0.about) }, files: files)
    }
}
