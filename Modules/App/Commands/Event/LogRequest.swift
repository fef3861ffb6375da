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
        // What is wrong with it is said before the person writes a note.
        var entry = try entries.make(self, in: context)
        let isNew = try await NoteDraft.during(texts.usesEditor, before: entry.event.notes, in: context) { note in
            if let note {
                entry.event.notes = note
                try context.reader.validate(entry.event)
            }
            return try context.store.performSynchronously { [entry] in try entry.store(in: $0) }
        }
        try context.say(entry.text(madeType: isNew, zone: context.process.zone), event: entry.event.id)
    }
}
