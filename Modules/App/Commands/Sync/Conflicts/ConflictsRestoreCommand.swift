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
        let conflicts = try ConflictLookup(context: context).find(ids)
        for conflict in conflicts { try await context.store.restoreConflict(id: conflict.id) }
        if context.wantsJSON { return try context.output.jsonArray(conflicts.map(ConflictJSON.init)) }
        for conflict in conflicts {
            let summary = ConflictText(conflict: conflict).summary
            let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
            try context.output.line(TextTable.singleLine("restored \(record): \(summary)"))
        }
    }
}
