import ArgumentParser
import TrendyDomain
import TrendyTerminal

struct ConflictsShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about a conflict, and what can be done.",
        discussion: "Example:\n  trendy conflicts show 3f9a1c2e")

    @Argument(help: "The conflict: its id, or a beginning or end of it.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflict = try lookup.find(id)
        if context.wantsJSON { return try context.output.json(ConflictJSON(conflict: conflict)) }
        for line in try lookup.text(of: conflict).details { try context.output.line(line) }
    }
}
