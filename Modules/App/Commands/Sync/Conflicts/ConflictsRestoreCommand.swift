import ArgumentParser
import TrendyDomain

struct ConflictsRestoreCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back what lost: the other value, or the whole record.",
        discussion: "Example:\n  trendy conflicts restore 3f9a1c2e")

    @Argument(help: "The conflicts: their ids, or beginnings or ends of them.")
    var ids: [String]

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await ConflictDecision(context: context, done: "restored", outcome: \.restored).make(about: ids) {
            try await context.store.restoreConflict(id: $0.id)
        }
    }
}
