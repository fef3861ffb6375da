import TrendyData
import TrendyDomain

/// Finds the conflict that a person names: by its id, or by a beginning or an end of it that no other has.
@MainActor
struct ConflictLookup {
    let context: CommandContext

    /// In the order in which they were found.
    func all() throws -> [SyncConflict] {
        try context.reader.documents(SyncConflict.self).sorted { ($0.detectedAt, $0.id) < ($1.detectedAt, $1.id) }
    }

    func find(_ text: String) throws -> SyncConflict {
        let conflicts = try all()
        if let exact = conflicts.first(where: { $0.id == text }) { return exact }
        let folded = text.lowercased()
        // Ids begin with the time, so that beginnings are often alike; their ends are what is shown.
        let found = conflicts.filter { !folded.isEmpty && ($0.id.hasPrefix(folded) || $0.id.hasSuffix(folded)) }
        guard let first = found.first else {
            throw CommandFailure.data("there is no conflict '\(text)'; see 'trendy conflicts list'")
        }
        guard found.count == 1 else {
            let list = found.prefix(5).map(\.id).joined(separator: ", ") + (found.count > 5 ? ", …" : "")
            throw CommandFailure.data("'\(text)' can mean several conflicts: \(list); give more of the id")
        }
        return first
    }

    /// The conflicts that are named, each once.
    func find(_ texts: [String]) throws -> [SyncConflict] {
        var found: [SyncConflict] = []
        for text in texts {
            let conflict = try find(text)
            if !found.contains(conflict) { found.append(conflict) }
        }
        return found
    }
}
