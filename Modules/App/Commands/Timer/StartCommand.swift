import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct StartCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a timer; 'trendy stop' logs it as an event.",
        discussion: """
            Example:
              trendy start run
              trendy start run --at 9:15 --note "with Kim"

            The timer survives a restart of the machine. 'trendy status' shows it.
            """)

    @Argument(help: "The type: a name or an id.")
    var type: String

    @OptionGroup var start: EventStart
    @OptionGroup var details: EventDetails

    // Accepted only to explain why a timer has no end.
    @Option(name: .long, parsing: .unconditional, help: .hidden)
    var until: String?

    @Flag(name: .long, help: "Create the type if it does not exist.")
    var createType = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if until != nil {
            throw CommandFailure.usage("a timer has no end; use 'trendy log' with --at and --until")
        }
    }

    func run(in context: CommandContext) async throws {
        var entries = LogEntries()
        let (type, isNew) = try entries.findType(self.type, creates: createType, in: context)
        var event = Event(id: context.makeId(), eventTypeId: type.id, timestamp: context.now)
        let (texts, remark) = try UnkeyedWords.sorted(details.texts(start), of: type, or: [.note], in: context)
        let units = try texts.apply(to: &event, of: type, in: context)
        try texts.applyDefaults(to: &event, of: type, in: context)
        try context.reader.validate(event)
        let (started, isMade) = try await NoteDraft.during(
            texts.usesEditor, before: event.notes, in: context
        ) { note in
            if let note {
                event.notes = note
                try context.reader.validate(event)
            }
            return try await NewTimer(event, of: type, makesType: isNew, units: units).start(in: context)
        }
        let name = type.name + (isMade ? " (new type)" : "")
        try context.say(
            "started \(name), \(context.process.zone.minuteText(started.timestamp)) (\(ShortId.of(started.id)))"
                + remark
                + units.map(\.text).joined(), json: started)
    }
}
