import ArgumentParser
import TrendyDomain
import TrendySync

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

    @OptionGroup var fields: EventFields

    @OptionGroup var common: CommonOptions

    func check() throws {
        if fields.until != nil {
            throw CommandFailure.usage("a timer has no end yet; 'trendy log' takes --at and --until together")
        }
    }

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type).entity
        var event = Event(id: context.makeId(), eventTypeId: type.id, timestamp: context.now)
        let units = try fields.texts.apply(to: &event, of: type, in: context)
        try fields.texts.applyDefaults(to: &event, of: type, in: context)
        try event.validate()
        let started = event
        let zone = context.process.zone
        try await context.store.perform { writes in
            try writes.require(EventType.self, id: type.id, named: type.name)
            var timers = try RunningTimers.load(writes)
            if let running = timers.timer(of: type.id) {
                throw CommandFailure.data(
                    "\(type.name) runs since \(zone.minuteText(running.timestamp)) already; stop it first with 'trendy stop \(quoted(type.name))'"
                )
            }
            timers.add(started)
            try writes.store(units)
            try timers.save(in: writes)
        }
        try context.say(
            "started \(type.name), \(zone.minuteText(event.timestamp)) (\(ShortId.of(event.id)))"
                + units.map(\.text).joined(), json: event)
    }
}
