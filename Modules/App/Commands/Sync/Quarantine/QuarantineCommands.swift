import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QuarantineGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "What the server sent and this version cannot use, kept as it came: list, discard.",
        discussion: "Example:\n  trendy quarantine\n  trendy quarantine discard 3f9a1c2e",
        subcommands: [QuarantineListCommand.self, QuarantineDiscardCommand.self],
        defaultSubcommand: QuarantineListCommand.self)
}

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

/// Something that is set aside, as JSON: every key is always there.
struct QuarantinedChangeJSON: Encodable {
    let change: QuarantinedChange

    func encode(to encoder: any Encoder) throws {
        let entry = change.entry
        try JSONFields([
            "id": change.id, "revision": entry.id, "entity_type": entry.entityType, "entity_id": entry.entityId,
            "data": entry.data, "reason": change.reason, "received_at": change.receivedAt,
        ]).encode(to: encoder)
    }
}
