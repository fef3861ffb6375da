import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyTerminal

struct QueueRetryCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Send refused changes again with the next sync.",
        discussion: """
            A change to a record that was deleted elsewhere puts the record back. Where what it belongs to was
            deleted, give it another first: 'trendy queue edit 12 event_type_id=NAME'.
            What cannot go is told, with what helps, and keeps nothing else back.
            Example:
              trendy queue retry 12 13
              trendy queue retry --all
            """)

    @Argument(help: "The numbers of the changes, from 'trendy queue list'.")
    var ids: [String] = []

    @Flag(name: .long, help: "Every change that was refused.")
    var all = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if ids.isEmpty != all { throw CommandFailure.usage("give the numbers of changes, or --all") }
    }

    func run(in context: CommandContext) async throws {
        var retry = QueueRetry(context: context)
        try await retry.run(all ? parked(context) : named(context))
        if context.wantsJSON {
            try context.output.jsonArray(retry.changes)
        } else if retry.changes.isEmpty {
            try context.output.line("nothing was refused")
        } else {
            for change in retry.changes where change.obstacle == nil {
                try context.output.line("\(change.shown.name) goes with the next sync")
            }
        }
        try retry.end()
    }

    @MainActor
    private func named(_ context: CommandContext) throws -> [PendingMutation] {
        try ids.map { text in
            let id = try ChangeNumber.read(text)
            guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
            return mutation
        }
    }

    @MainActor
    private func parked(_ context: CommandContext) throws -> [PendingMutation] {
        try context.reader.mutations(MutationQuery(states: [.parked]))
    }
}
