import ArgumentParser
import TrendyDomain
import TrendySync
import TrendyTerminal

struct ConflictsRestoreCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back what lost: the other value, or the whole record.",
        discussion: "Example:\n  trendy conflicts restore 3f9a1c2e")

    @Argument(help: "The conflicts: their ids, or beginnings or ends of them.")
    var ids: [String]

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        for conflict in try lookup.find(ids) {
            let text = try lookup.text(of: conflict)
            if text.obstacle != nil { throw CommandFailure.data(text.help) }
        }
        let decision = ConflictDecision(context: context, done: "restored", outcome: \.restored)
        try await decision.make(about: ids) { conflict in
            do {
                try await context.store.restoreConflict(id: conflict.id)
            } catch LedgerError.parentGone(_, _, let parent, let parentId) {
                throw try lookup.failure(toRestore: conflict, without: parent, parentId)
            }
        }
    }
}
