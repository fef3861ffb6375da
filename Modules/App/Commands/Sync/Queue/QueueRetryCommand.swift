import ArgumentParser
import TrendyData
import TrendyDomain

struct QueueRetryCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Send refused changes again with the next sync.",
        discussion: """
            A change to a record that was deleted elsewhere puts the record back. Where what it belongs to was
            deleted, give it another first: 'trendy queue edit 12 event_type_id=NAME'.
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
        var retried: [QueuedMutation] = []
        var lost: [String] = []
        let parents = LostParents(context: context)
        for id in try all ? parked(context) : ids.map(ChangeNumber.read) {
            guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
            // Putting a record back settles every change of it at once.
            if retried.count > 0, mutation.state.name == .merged { continue }
            if mutation.state.name == .parked, let reference = try parents.reference(of: mutation) {
                // It would come back refused.
                lost.append("change \(id): \(QueuedMutation(mutation, without: reference).help ?? "")")
                continue
            }
            try await context.store.retryMutation(id: id)
            retried.append(QueuedMutation(try context.reader.mutation(id: id) ?? mutation, withOutcome: true))
        }
        if context.wantsJSON {
            try context.output.jsonArray(retried)
        } else if retried.isEmpty && lost.isEmpty {
            try context.output.line("nothing was refused")
        } else {
            for mutation in retried { try context.output.line("\(mutation.name) goes with the next sync") }
        }
        guard let last = lost.popLast() else { return }
        for line in lost { try context.remark(line) }
        throw CommandFailure.data(last)
    }

    @MainActor
    private func parked(_ context: CommandContext) throws -> [Int64] {
        try context.reader.mutations(MutationQuery(states: [.parked])).map(\.id)
    }
}
