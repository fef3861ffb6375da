import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct ConflictsListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the conflicts, with what was kept of the side that lost.",
        discussion: "Example:\n  trendy conflicts list --json")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflicts = try lookup.all()
        if context.wantsJSON { return try context.output.jsonArray(conflicts.map(ConflictJSON.init)) }
        var table = TextTable("ID", "RECORD", "FOUND", "CONFLICT")
        for conflict in conflicts {
            try table.add(
                ShortId.of(conflict.id), "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))",
                context.process.zone.minuteText(conflict.detectedAt), lookup.text(of: conflict).summary)
        }
        try context.print(table, whenEmpty: "no conflicts")
    }
}
