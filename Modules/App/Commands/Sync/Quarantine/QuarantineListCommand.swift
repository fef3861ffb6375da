import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QuarantineListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what is set aside, and why, with --json as it was sent; each sync tries it again.",
        discussion: "Example:\n  trendy quarantine list --json")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let changes = try await context.root.engine.quarantine()
        if context.wantsJSON { return try context.output.jsonArray(changes.map(QuarantinedChangeJSON.init)) }
        var table = TextTable("ID", "KIND", "RECEIVED", "REASON")
        for change in changes {
            table.add(
                ShortId.of(change.id), change.entry.entityType.displayName,
                context.process.zone.minuteText(change.receivedAt), change.reason)
        }
        try context.print(table, whenEmpty: "nothing is set aside")
    }
}
