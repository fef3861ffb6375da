import ArgumentParser
import TrendyDomain

struct ConflictsDismissCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Take conflicts off the list and leave what won; a record that was deleted elsewhere goes.",
        discussion: "Example:\n  trendy conflicts dismiss 3f9a1c2e")

    @Argument(help: "The conflicts: their ids, or beginnings or ends of them.")
    var ids: [String]

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await ConflictDecision(context: context, done: "dismissed", outcome: \.summary).make(about: ids) {
            try await context.store.dismissConflict(id: $0.id)
        }
    }
}
