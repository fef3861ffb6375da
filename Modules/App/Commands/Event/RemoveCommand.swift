import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct RemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete events.",
        discussion: "Example:\n  trendy rm 3f9a1c2e 77b0d1f4")

    @Argument(help: "The events: their ids, the ends of them, or last: the one logged last.")
    var ids: [String]

    @Flag(name: .shortAndLong, help: "Do not ask; without a terminal it never asks.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
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
        if context.wantsJSON { return try context.output.json(Removal(deleted: events.map(\.id))) }
        for name in names { try context.output.line("deleted \(TextTable.singleLine(name))") }
    }
}
