import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct ContinueCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Start a timer like the event that ended last.",
        discussion: """
            Example:
              trendy continue
              trendy continue run --at -5m

            The timer has the properties, the note and the place of that event.
            """)

    /// Among how many of the newest events the one that ended last is looked for.
    private static let window = 500

    @Argument(help: "The type; without one, that of the event.")
    var type: String?

    @Option(name: .long, parsing: .unconditional, help: "When it went on.")
    var at: String?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let type = try self.type.map { try context.lookup.type($0).entity }
        let filter = EventFilter(eventTypeIds: type.map { [$0.id] }, limit: Self.window)
        let ended = try await context.root.repository.fetch(matching: filter).map(\.entity)
            .filter { $0.endDate != nil && !$0.isAllDay }
        guard let last = ended.max(by: { ($0.endDate ?? $0.timestamp) < ($1.endDate ?? $1.timestamp) }) else {
            let what = type.map { "event of \(TextTable.singleLine($0.name))" } ?? "event"
            throw CommandFailure.data("no \(what) has ended yet; start a timer with 'trendy start TYPE'")
        }
        guard let type = try type ?? context.reader.find(EventType.self, id: last.eventTypeId)?.entity else {
            throw CommandFailure.data("the type of the event \(ShortId.of(last.id)) is not here; name one")
        }
        var timer = Event(
            id: context.makeId(), eventTypeId: type.id, timestamp: context.now, notes: last.notes,
            geofenceId: last.geofenceId, locationLatitude: last.locationLatitude,
            locationLongitude: last.locationLongitude, locationName: last.locationName, properties: last.properties)
        _ = try EventTexts(at: at).apply(to: &timer, of: type, in: context)
        try context.reader.validate(timer)
        let started = try await NewTimer(timer, of: type).start(in: context).timer
        try context.say(
            "started \(type.name) again, \(context.process.zone.minuteText(started.timestamp)) "
                + "(\(ShortId.of(started.id)))", json: started)
    }
}
