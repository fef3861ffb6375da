import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyTerminal

struct QueueEditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change fields of the record that a waiting or refused change is about.",
        discussion: """
            The fields have the names of the API; 'trendy queue show ID' lists them. A
            refused change goes again with the next sync; one to a record that was
            deleted elsewhere waits for 'trendy queue retry ID', which puts it back.
            Example:
              trendy queue edit 12 notes="shorter" is_all_day=true --clear end_date
            """)

    @Argument(help: "The number of the change, from 'trendy queue list'.")
    var id: String

    @Argument(help: "New values: field=value.")
    var assignments: [String] = []

    @Option(name: .long, help: "A field to leave empty; may be repeated.")
    var clear: [String] = []

    @OptionGroup var common: CommonOptions

    func check() throws {
        if assignments.isEmpty && clear.isEmpty {
            throw CommandFailure.usage("nothing to change: give field=value or --clear field")
        }
        for text in assignments where text.firstIndex(of: "=").map({ $0 == text.startIndex }) ?? true {
            throw CommandFailure.usage("'\(text)' is no field=value")
        }
    }

    func run(in context: CommandContext) async throws {
        let id = try ChangeNumber.read(id)
        guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
        let fields = FieldAssignments(context: context, mutation: mutation)
        let carrier = try await context.store.editMutation(
            id: id, changes: try fields.changes(assignments, clear: clear))
        let changed = try context.reader.mutation(id: carrier) ?? mutation
        let shown = QueuedMutation(
            changed, withOutcome: true, without: try LostParents(context: context).reference(of: changed))
        let rest = changed.state == .queued ? "goes with the next sync" : "waits: \(shown.help ?? "")"
        try context.say("\(shown.name) \(rest)", json: shown)
    }
}
