import TrendyDomain
import TrendyTerminal

/// What a person decides about conflicts that are listed, and how it is told.
@MainActor
struct ConflictDecision {
    let context: CommandContext
    /// What was done, as the first word of a line: "restored".
    let done: String
    /// What has become of the record by that.
    let outcome: (ConflictText) -> String

    /// Finds all of them before it decides about any.
    func make(about ids: [String], _ decide: (SyncConflict) async throws -> Void) async throws {
        let lookup = ConflictLookup(context: context)
        let conflicts = try lookup.find(ids)
        var outcomes: [String] = []
        for conflict in conflicts {
            // What it was is not to be seen afterwards.
            let text = try lookup.text(of: conflict)
            try await decide(conflict)
            outcomes.append(outcome(text))
        }
        if context.wantsJSON { return try context.output.jsonArray(conflicts.map(ConflictJSON.init)) }
        for (conflict, outcome) in zip(conflicts, outcomes) {
            let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
            try context.output.line(TextTable.singleLine("\(done) \(record): \(outcome)"))
        }
    }
}
