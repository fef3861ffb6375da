import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct QueueListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the changes that wait, and those that were refused, with the reason.",
        discussion: """
            With --all also what was accepted, merged or dropped in the last days.
            Example:
              trendy queue list --json
            """)

    @Flag(name: .long, help: "Show settled changes too, with what became of them.")
    var all = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let query = all ? MutationQuery() : MutationQuery(states: [.queued, .sending, .parked])
        let mutations = try context.reader.mutations(query)
        let held = try HeldChanges(context)
        let isSyncing = try await context.isSyncing
        let shown = mutations.map {
            QueuedMutation($0, heldBy: held.holder(of: $0), isSyncing: isSyncing, withOutcome: all)
        }
        if context.wantsJSON { return try context.output.jsonArray(shown) }
        try context.print(
            table(of: Array(zip(mutations, shown)), context), whenEmpty: all ? "nothing was queued" : "nothing waits")
    }

    @MainActor
    private func table(of mutations: [(PendingMutation, QueuedMutation)], _ context: CommandContext) -> TextTable {
        let zone = context.process.zone
        var table =
            all
            ? TextTable("NO", "STATE", "CHANGE", "ID", "SINCE", "SETTLED", "ATTEMPTS", "REASON")
            : TextTable("NO", "STATE", "CHANGE", "ID", "SINCE", "ATTEMPTS", "REASON")
        for (mutation, shown) in mutations {
            let start = [
                String(mutation.id), shown.state, shown.change, ShortId.of(mutation.entityId),
                zone.minuteText(mutation.createdAt),
            ]
            let settled = all ? [mutation.settledAt.map(zone.minuteText) ?? ""] : []
            table.add(start + settled + [String(mutation.attempts), shown.explanation ?? ""])
        }
        return table
    }
}
