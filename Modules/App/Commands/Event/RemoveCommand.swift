import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct RemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete events.",
        discussion: """
            Examples:
              trendy rm 3f9a1c2e 77b0d1f4
              trendy rm coffee size=small until:2025-12-31

            'trendy undo' restores all events at once.
            """)

    @Argument(help: "Ids, 'last' (the event logged last), or a filter: 'trendy help filters'.")
    var ids: [String]

    @Flag(name: .shortAndLong, help: "Do not ask. Scripts with a filter need it.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        guard try ids.first.map(context.namesEvent) ?? true else { return try await removeChosen(in: context) }
        var events: [Event] = []
        for id in ids {
            let event = try context.lookup.event(id).entity
            if !events.contains(where: { $0.id == event.id }) { events.append(event) }
        }
        let lines = try EventLines(context: context)
        let zone = context.process.zone
        let names = events.map { "\(lines.typeName($0)), \(zone.spanText($0)) (\(ShortId.of($0.id)))" }
        if context.process.input.isTerminal {
            try context.confirmation(yes).require("delete \(names.joined(separator: "; "))")
        }
        let removed = events
        try await context.store.perform { writes in
            for event in removed { try writes.delete(Event.self, id: event.id) }
        }
        if context.wantsJSON { return try context.output.json(DeletionResult(deleted: events.map(\.id))) }
        for name in names { try context.output.line("deleted \(TextTable.singleLine(name))") }
    }

    @MainActor
    private func removeChosen(in context: CommandContext) async throws {
        let query = try context.query(events: ids)
        let chosen = try await ChosenEvents(query, in: context)
        guard chosen.count > 0 else {
            return try context.say("no events match; nothing was deleted", json: ChangedEvents())
        }
        try chosen.requireConsent({ "delete \($0)" }, isGiven: yes)
        var deleted = 0
        try chosen.forEachSave("deleting", "deleted") { events, writes in
            for event in events { try writes.delete(Event.self, id: event.id) }
            deleted += events.count
        }
        let text = try EventText(context: context)
        try context.say("deleted \(chosen.summary(text))", json: ChangedEvents(deleted: deleted))
    }
}

/// The numbers of changed events, as JSON.
struct ChangedEvents: Encodable {
    var changed: Int?
    var added: Int?
    var deleted: Int?
}
