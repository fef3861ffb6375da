import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct ContinueCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Start a timer with the type and fields of the last event.",
        discussion: """
            Example:
              trendy continue
              trendy continue run --at -5m

            The last event is the one that ended last. The timer gets its properties, its
            note and its place.
            """)

    /// How many of the newest events are searched for the one that ended last.
    private static let window = 500

    @Argument(help: "Continue the last event of this type.")
    var type: String?

    @Option(name: .long, parsing: .unconditional, help: "The start (default: now).")
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
            throw CommandFailure.data("the type of the event \(ShortId.of(last.id)) is missing; name a type")
        }
        var timer = Event(
            id: context.makeId(), eventTypeId: type.id, timestamp: context.now, notes: last.notes,
            geofenceId: last.geofenceId, locationLatitude: last.locationLatitude,
            locationLongitude: last.locationLongitude, locationName: last.locationName, properties: last.properties)
        _ = try EventInput(at: at).apply(to: &timer, of: type, in: context)
        try context.reader.validate(timer)
        let started = try await NewTimer(timer, of: type).start(in: context).timer
        try context.say(
            "started \(type.name) again, \(context.process.zone.minuteText(started.timestamp)) "
                + "(\(ShortId.of(started.id)))", json: started)
    }
}
