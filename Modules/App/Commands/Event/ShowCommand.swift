import ArgumentParser
import TrendyTerminal

struct ShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all fields of an event.",
        discussion: "Example:\n  trendy show 3f9a1c2e")

    @Argument(help: "An id, the end of an id, or 'last' (the event logged last).")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let record = try context.lookup.event(id)
        if context.wantsJSON { return try context.output.json(EventJSON(record, in: context)) }
        for line in try EventLines(context: context).details(record) { try context.output.line(line) }
    }
}
