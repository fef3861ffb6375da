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
        try fields.applyDefaults(to: &event, of: type, in: context)
        let madeType = try await store(event, of: type, isNew: isNew, in: context)
        let made = madeType ? " (new type)" : ""
        try context.say(
            "logged \(type.name)\(made), \(context.process.zone.spanText(event)) (\(ShortId.of(event.id)))",
            record: Event.self, id: event.id)
    }

    /// Stores the event, with its type where that is new and nobody has made it in the meantime.
    @MainActor
    private func store(
        _ event: Event, of type: EventType, isNew: Bool, in context: CommandContext
    ) async throws -> Bool {
        let place = fields.place
        return try await context.store.perform { writes in
            var event = event
            var makesType = isNew
            if isNew {
                let folded = type.name.lowercased()
                if let present = try writes.fetch(EventType.self).first(where: { $0.name.lowercased() == folded }) {
                    event.eventTypeId = present.id
                    makesType = false
                } else {
                    try writes.create(type)
                }
            } else {
                try writes.require(EventType.self, id: type.id, named: type.name)
            }
            if let place { try writes.require(Geofence.self, id: event.geofenceId, named: place) }
            try writes.create(event)
            return makesType
        }
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
