import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

/// The timers that run on this device, in the store: a restart does not stop them.
///
/// A timer is the event that it becomes when it is stopped, without its end and under another id.
struct RunningTimers: Sendable {
    /// Where the store keeps them.
    static let key = "app.timers"

    /// The events that have begun, in the order of their beginnings.
    private(set) var events: [Event]

    static func load(_ reader: StoreReader) throws -> RunningTimers { try RunningTimers(text: reader.metadata(key)) }

    static func load(_ writes: LocalWrites) throws -> RunningTimers { try RunningTimers(text: writes.metadata(key)) }

    /// - Parameter text: As the store keeps them; nil where none runs.
    init(text: String?) throws {
        let events = try text.map { try WireCoding.decode([Event].self, from: .init($0.utf8)) } ?? []
        self.events = events.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
    }

    func save(in writes: LocalWrites) throws {
        let text = events.isEmpty ? nil : String(decoding: try WireCoding.encode(events), as: UTF8.self)
        try writes.setMetadata(Self.key, text)
    }

    func timer(of typeId: String) -> Event? { events.first { $0.eventTypeId == typeId } }

    mutating func add(_ event: Event) { events.append(event) }

    mutating func remove(_ event: Event) { events.removeAll { $0.id == event.id } }
}

/// A timer that runs, as `trendy status` shows it.
struct RunningTimer: Encodable {
    /// The id of the timer; the event that it becomes has another one.
    let id: String
    /// The name of its type.
    let type: String
    let since: Timestamp

    /// The timers that run, in the order of their beginnings.
    ///
    /// - Parameter filter: Selects the timers, as the events that they are while they run.
    @MainActor
    static func all(
        in context: CommandContext, matching filter: EventFilter = EventFilter()
    ) throws -> [RunningTimer] {
        let timers = try RunningTimers.load(context.reader).events.filter { filter.matches(running: $0) }
        if timers.isEmpty { return [] }
        let lines = try EventLines(context: context)
        return timers.map { RunningTimer(id: $0.id, type: lines.typeName($0), since: $0.timestamp) }
    }

    /// "run since 2026-11-20 09:15 (1h 5m)".
    func text(zone: LocalZone, now: Timestamp) -> String {
        let seconds = max(0, (Double(now.milliseconds) - Double(since.milliseconds)) / 1000)
        // A timer that has run for a while is not looked at for its seconds.
        let shown = seconds < 60 ? seconds.rounded(.down) : (seconds / 60).rounded(.down) * 60
        return "\(type) since \(zone.minuteText(since)) (\(DurationText.text(shown)))"
    }
}

extension EventFilter {
    /// Whether a timer is selected, as an event that has begun and has yet to end.
    func matches(running timer: Event) -> Bool {
        var event = timer
        event.endDate = .latest
        return matches(LocalRecord(event))
    }
}
