import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct QueueShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one change: what it says, why it waits or was refused, and what helps.",
        discussion: "Example:\n  trendy queue show 12")

    @Argument(help: "The number of the change, from 'trendy queue list'.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let id = try ChangeNumber.read(id)
        guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
        let shown = QueuedMutation(
            mutation, heldBy: try HeldChanges(context).holder(of: mutation), isSyncing: try await context.isSyncing,
            withOutcome: true, without: try LostParents(context: context).reference(of: mutation))
        if context.wantsJSON { return try context.output.json(shown) }
        let base = try context.reader.base(of: mutation.entityType, id: mutation.entityId)
        for line in shown.details(beside: base?.document ?? [:], times: context.times) { try context.output.line(line) }
    }
}

/// The number by which a person names a change.
enum ChangeNumber {
    /// The number that was typed; what is none is refused.
    static func read(_ text: String) throws -> Int64 {
        if let number = Int64(text) { return number }
        throw CommandFailure.usage("'\(text)' is no number of a change; 'trendy queue' lists them")
    }
}

extension CommandFailure {
    static func unknownChange(_ id: Int64) -> CommandFailure {
        .data("there is no change \(id); see 'trendy queue list --all'")
    }
}
