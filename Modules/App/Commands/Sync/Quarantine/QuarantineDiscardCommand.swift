import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QuarantineDiscardCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Let go of what is set aside; nothing on the server changes.",
        discussion: """
            What the server still has comes again with 'trendy sync --full', once this
            version can use it.
            Example:
              trendy quarantine discard 3f9a1c2e
              trendy quarantine discard --all
            """)

    @Argument(help: "What to let go: ids, or beginnings or ends of them.")
    var ids: [String] = []

    @Flag(name: .long, help: "Everything that is set aside.")
    var all = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if ids.isEmpty != all { throw CommandFailure.usage("give ids, or --all") }
    }

    func run(in context: CommandContext) async throws {
        let held = try await context.root.engine.quarantine()
        let name = DocumentName(noun: "change", list: "trendy quarantine list")
        let named = try Set(ids.map { try name.find($0, in: held).id })
        let discarded = held.filter { all || named.contains($0.id) }
        try await context.store.discardQuarantined(ids: Set(discarded.map(\.id)))
        if context.wantsJSON { return try context.output.jsonArray(discarded.map(QuarantinedChangeJSON.init)) }
        try context.output.line("discarded \(counted(discarded.count, "change"))")
    }
}
