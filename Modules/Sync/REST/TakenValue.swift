import TrendyDomain

// Whether a deployed server refuses a value because another record has it.
//
// Nothing else in the product depends on the words of a message. Deployed servers hand on what their database says, with
// status 500, as if they had failed. If neither a listing nor the device knows the other record, nothing else tells that
// the same request will never pass. The words are those of PostgreSQL for a broken unique constraint: its code in the
// table of SQLSTATE, or its sentence, which names the constraint, and with it the fields.

extension APIError {
    /// Whether the server says that a value is taken.
    var saysTaken: Bool {
        guard case .http(let status, _) = self, status == 409 || status == 500 else { return false }
        return words.contains("23505") || words.contains("duplicate key value violates unique constraint")
    }

    /// Whether the server's words can mean that a value is taken. They prove it only together with the record that has the value.
    var maySayTaken: Bool {
        isWordless || !Self.wordsOfTaken.isDisjoint(with: words.split { !$0.isLetter })
    }

    /// "Timestamp already taken", "event with this timestamp already exists", "must be unique".
    private static let wordsOfTaken: Set<Substring> = [
        "collides", "collision", "duplicate", "duplicated", "exist", "exists", "occupied", "taken", "unique", "used",
    ]

    /// Whether the server does not say what is wrong: it gives no words, or only such as fit any failure.
    private var isWordless: Bool {
        guard let text = answer?.text else { return true }
        return text.lowercased().split { !$0.isLetter }.allSatisfy { Self.wordsOfAnyFailure.contains($0) }
    }

    /// "Internal Server Error", "failed to update event", "An unexpected error occurred, please try again later".
    private static let wordsOfAnyFailure: Set<Substring> = [
        "a", "again", "an", "cannot", "change", "conflict", "could", "error", "event", "fail", "failed", "failure",
        "geofence", "has", "internal", "later", "modify", "not", "occurred", "please", "process", "processing",
        "property", "record", "request", "save", "saving", "server", "something", "store", "the", "to", "try", "type",
        "unable", "unexpected", "unknown", "update", "updating", "went", "while", "wrong", "your",
    ]

    /// Whether the server's words name a field: in a list of fields, or in the name of a constraint, which PostgreSQL
    /// makes of the table, the fields and an ending.
    func names(_ field: String) -> Bool {
        words.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { word in
            if word == field { return true }
            let ending = ["_key", "_idx"].first { word.hasSuffix($0) } ?? ""
            return "_\(word.dropLast(ending.count))_".contains("_\(field)_")
        }
    }

    private var words: String {
        guard case .http(_, let problem) = self else { return "" }
        return [problem.detail, problem.title].compactMap { $0 }.joined(separator: " ").lowercased()
    }
}
