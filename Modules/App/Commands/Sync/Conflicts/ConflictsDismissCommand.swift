import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyTerminal

struct ConflictsDismissCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Take conflicts off the list and leave what won; a record that was deleted elsewhere goes.",
        discussion: "Example:\n  trendy conflicts dismiss 3f9a1c2e")

    @Argument(help: "The conflicts: their ids, or beginnings or ends of them.")
    var ids: [String]

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let leaving = try ConflictLookup(context: context).find(ids).filter { try takesRecord($0, in: context) }
        if !leaving.isEmpty {
            let records = leaving.map { "the \($0.entityType.displayName) \(ShortId.of($0.entityId))" }
            try context.confirmation(yes).require(
                "delete \(records.joined(separator: ", ")) here too, with what was changed here")
        }
        try await ConflictDecision(context: context, done: "dismissed", outcome: \.summary).make(about: ids) {
            try await context.store.dismissConflict(id: $0.id)
        }
    }

    /// Whether a record goes with the conflict: one that was deleted elsewhere, and is kept for the person to decide.
    @MainActor
    private func takesRecord(_ conflict: SyncConflict, in context: CommandContext) throws -> Bool {
        guard conflict.kind == .editedHereDeletedElsewhere else { return false }
        let parked = MutationQuery(
            states: [.parked], entityType: conflict.entityType, entityId: conflict.entityId)
        return try context.reader.mutations(parked).contains { mutation in
            if case .parked(let reason) = mutation.state { reason.code == .deletedElsewhere } else { false }
        }
    }
}
