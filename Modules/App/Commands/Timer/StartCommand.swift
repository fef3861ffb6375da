import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct StartCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a timer; 'trendy stop' makes an event of it.",
        discussion: """
            Example:
              trendy start run
              trendy start run --at 9:15 --note "with Kim"

            It goes on through restarts of the machine; 'trendy status' shows it.
            """)

    @Argument(help: "The type: its name or id.")
    var type: String

    @OptionGroup var start: EventStart
    @OptionGroup var details: EventDetails

    // Known only to be refused with what to write.
    @Option(name: .long, parsing: .unconditional, help: .hidden)
    var until: String?

    @Flag(name: .long, help: "Make the type where there is none of that name.")
    var createType = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if until != nil {
            throw CommandFailure.usage("a timer has no end yet; 'trendy log' takes --at and --until together")
        }
    }

    func run(in context: CommandContext) async throws {
        var entries = LogEntries()
        let (type, isNew) = try entries.findType(self.type, creates: createType, in: context)
        var event = Event(id: context.makeId(), eventTypeId: type.id, timestamp: context.now)
        let texts = details.texts(start)
        let units = try texts.apply(to: &event, of: type, in: context)
        try texts.applyDefaults(to: &event, of: type, in: context)
        try context.reader.validate(event)
        let begun = event
        let zone = context.process.zone
        let (started, isMade) = try await context.store.perform { writes in
            var timer = begun
            var isMade = false
            if isNew {
                let stored = try type.storeUnlessThere(in: writes)
                timer.eventTypeId = stored.id
                isMade = stored.isMade
            } else {
                try writes.require(EventType.self, id: type.id, named: type.name)
            }
            var timers = try RunningTimers.load(writes)
            if let running = timers.timer(of: timer.eventTypeId) {
                throw CommandFailure.data(
                    "\(type.name) runs since \(zone.minuteText(running.timestamp)) already; stop it first with 'trendy stop \(quoted(type.name))'"
                )
            }
            timers.add(timer)
            try writes.store(units)
            try timers.save(in: writes)
            return (timer, isMade)
        }
        let name = type.name + (isMade ? " (new type)" : "")
        try context.say(
            "started \(name), \(zone.minuteText(started.timestamp)) (\(ShortId.of(started.id)))"
                + units.map(\.text).joined(), json: started)
    }
}
