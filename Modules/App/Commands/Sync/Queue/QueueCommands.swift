import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QueueGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Manage waiting and refused changes: list, show, retry, edit, drop.",
        discussion: "Example:\n  trendy queue\n  trendy queue retry --all\n  trendy queue drop --reason duplicate",
        subcommands: [
            QueueListCommand.self, QueueShowCommand.self, QueueRetryCommand.self, QueueEditCommand.self,
            QueueDropCommand.self,
        ],
        defaultSubcommand: QueueListCommand.self)
}

struct QueueListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List waiting and refused changes, with the reasons.",
        discussion: """
            --all also lists changes that were accepted, merged or dropped recently. --reason and --kind list
            refused changes alone.
            Example:
              trendy queue list --json
              trendy queue list --reason duplicate
            """)

    @Flag(name: .long, help: "Also list settled changes, with their results.")
    var all = false

    @OptionGroup var refused: RefusedOptions

    @OptionGroup var common: CommonOptions

    func check() throws {
        if all, refused.isGiven { throw CommandFailure.usage("--all lists everything; leave out --reason and --kind") }
    }

    func run(in context: CommandContext) async throws {
        let query = all ? MutationQuery() : MutationQuery(states: [.queued, .sending, .parked])
        let mutations = try refused.isGiven ? refused.changes(in: context) : context.reader.mutations(query)
        let held = try BlockedChanges(context)
        let isSyncing = try await context.isSyncing
        let clock = try context.root.engine.serverClock()
        let shown = mutations.map {
            QueuedMutation(
                $0, heldBy: held.holder(of: $0), isSyncing: isSyncing, withOutcome: all, early: context.early($0, clock)
            )
        }
        if context.wantsJSON { return try context.output.jsonArray(shown) }
        try context.print(
            table(of: Array(zip(mutations, shown)), context), whenEmpty: all ? "no changes" : "no changes wait")
        for line in RefusedChanges(mutations).lines { try context.output.line(line) }
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

struct QueueShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a change: its fields, why it waits, and what to do.",
        discussion: "Example:\n  trendy queue show 12")

    @Argument(help: "The number of the change, from 'trendy queue list'.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let id = try ChangeNumber.read(id)
        guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
        let shown = QueuedMutation(
            mutation, heldBy: try BlockedChanges(context).holder(of: mutation), isSyncing: try await context.isSyncing,
            withOutcome: true, without: try MissingParents(context: context).lostParent(of: mutation),
            early: context.early(mutation, try context.root.engine.serverClock()))
        if context.wantsJSON { return try context.output.json(shown) }
        let base = try context.reader.base(of: mutation.entityType, id: mutation.entityId)
        for line in shown.details(beside: base?.document ?? [:], times: context.times) { try context.output.line(line) }
    }
}

/// The number of a change.
enum ChangeNumber {
    /// Reads a number; refuses other texts.
    static func read(_ text: String) throws -> Int64 {
        if let number = Int64(text) { return number }
        throw CommandFailure.usage("'\(text)' is not the number of a change; 'trendy queue' lists the numbers")
    }
}

extension CommandFailure {
    static func unknownChange(_ id: Int64) -> CommandFailure {
        .data("there is no change \(id); see 'trendy queue list --all'")
    }
}
