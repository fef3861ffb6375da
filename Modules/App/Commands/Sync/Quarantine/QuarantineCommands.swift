import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QuarantineGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Manage server data that this version cannot use: list, discard.",
        discussion: "Example:\n  trendy quarantine\n  trendy quarantine discard 3f9a1c2e",
        subcommands: [QuarantineListCommand.self, QuarantineDiscardCommand.self],
        defaultSubcommand: QuarantineListCommand.self)
}

struct QuarantineListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the quarantined changes with their reasons. Each sync tries them again.",
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
        try context.print(table, whenEmpty: "the quarantine is empty")
    }
}

struct QuarantineDiscardCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete quarantined changes on this device. The server is not changed.",
        discussion: """
            After an update of Trendy, 'trendy sync --full' fetches the data again.
            Example:
              trendy quarantine discard 3f9a1c2e
              trendy quarantine discard --all
            """)

    @Argument(help: "The changes: ids, or beginnings or ends of ids.")
    var ids: [String] = []

    @Flag(name: .long, help: "Discard all quarantined changes.")
    var all = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if ids.isEmpty != all { throw CommandFailure.usage("give the ids of changes, or --all") }
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

/// A quarantined change as JSON; all keys are always present.
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
