import TrendyDomain
import TrendyNotation

/// One event to log, as it was typed.
struct LogRequest: CommandAction, Equatable {
    /// The type: its name, an alias, the beginning of its name, or its id.
    var type: String
    var texts = EventTexts()
    var isAllDay = false
    /// Whether the type is made where there is none of that name.
    var createsType = false

    func run(in context: CommandContext) async throws {
        var entries = LogEntries()
        let entry = try entries.make(self, in: context)
        let isNew = try context.store.performSynchronously { try entry.store(in: $0) }
        try context.say(
            entry.text(madeType: isNew, zone: context.process.zone), record: Event.self, id: entry.event.id)
    }
}
