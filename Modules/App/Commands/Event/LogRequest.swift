import TrendyDomain
import TrendyNotation

/// An event to log, as a person typed it.
struct LogRequest: CommandAction, Equatable {
    /// The type: its name, an alias, the beginning of its name, or its id.
    var type: String
    var texts = EventInput()
    var isAllDay = false
    /// Whether the type is created if it does not exist.
    var createsType = false

    func run(in context: CommandContext) async throws {
        var entries = LogEntries()
        // Errors come before the person writes a note in the editor.
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
