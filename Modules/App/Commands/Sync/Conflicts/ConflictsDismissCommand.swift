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
        let conflicts = try ConflictLookup(context: context).find(ids)
        for conflict in conflicts { try await context.store.dismissConflict(id: conflict.id) }
        if context.wantsJSON { return try context.output.jsonArray(conflicts.map(ConflictJSON.init)) }
        for conflict in conflicts {
            let summary = ConflictText(conflict: conflict).summary
            let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
            try context.output.line(TextTable.singleLine("dismissed \(record): \(summary)"))
        }
    }
}
