import ArgumentParser
import TrendyDomain
import TrendySync

struct LogCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Log an event.",
        discussion: """
            Example:
              trendy log coffee
              trendy log run --at 'yesterday 9:00' --until 'yesterday 9:45' --prop km=7.5

            Times: \(WhenParser.forms).
            """)

    @Argument(help: "The type: its name or id.")
    var type: String

    @OptionGroup var fields: EventFields

    @Flag(name: .long, help: "It took the whole day, or days.")
    var allDay = false

    @Flag(name: .long, help: "Make the type where there is none of that name.")
    var createType = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let (type, isNew) = try findType(in: context)
        var event = Event(
            id: context.makeId(), eventTypeId: type.id, timestamp: context.now, isAllDay: allDay)
        try fields.apply(to: &event, of: type, in: context)
        let logged = event
        try await context.store.perform { writes in
            if isNew { try writes.create(type) }
            try writes.create(logged)
        }
        let made = isNew ? " (new type)" : ""
        try context.say(
            "logged \(type.name)\(made), \(context.process.zone.spanText(event)) (\(ShortId.of(event.id)))",
            record: Event.self, id: event.id)
    }

    /// The type of that name, or a new one that is not stored yet.
    @MainActor
    private func findType(in context: CommandContext) throws -> (type: EventType, isNew: Bool) {
        do {
            return (try context.lookup.type(type).entity, false)
        } catch let failure as CommandFailure {
            guard try !context.lookup.hasType(named: type) else { throw failure }
            if createType {
                let type = EventType(id: context.makeId(), name: Names.trimmed(type))
                try type.validate()
                return (type, true)
            }
            throw CommandFailure.data("\(failure.message); --create-type would make it")
        }
    }
}
