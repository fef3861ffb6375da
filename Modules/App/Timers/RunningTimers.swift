import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

/// The running timers of this device. They are in the store, so that they survive a restart.
///
/// A timer is an event without an end. When it is stopped, the event gets another id.
struct RunningTimers: Sendable {
    /// The key of the store's metadata.
    static let key = "app.timers"

    /// The timers, in the order of their starts.
    private(set) var events: [Event]

    static func load(_ reader: StoreReader) throws -> RunningTimers {
        try RunningTimers(text: reader.metadata(key), ids: reader.presentIds())
    }

    static func load(_ writes: LocalWrites) throws -> RunningTimers {
        try RunningTimers(text: writes.metadata(key), ids: writes.presentIds())
    }

    /// - Parameters:
    ///   - text: The stored text; nil for no timers.
    ///   - ids: The present ids of the records that it names. They are read only if there are timers.
    init(text: String?, ids: @autoclosure () throws -> PresentIds) throws {
        guard let text else {
            events = []
            return
        }
        var timers = try WireCoding.decode([Event].self, from: .init(text.utf8))
        let present = try ids()
        for index in timers.indices {
            timers[index].eventTypeId = present.present(timers[index].eventTypeId, of: .eventType)
            timers[index].geofenceId = timers[index].geofenceId.map { present.present($0, of: .geofence) }
        }
        events = timers.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
    }

    func save(in writes: LocalWrites) throws {
        let text = events.isEmpty ? nil : String(decoding: try WireCoding.encode(events), as: UTF8.self)
        try writes.setMetadata(Self.key, text)
    }

    /// The timer of a type. If two types turned out to be one, there can be two: the one that was started first.
    func timer(of typeId: String) -> Event? { events.first { $0.eventTypeId == typeId } }

    mutating func add(_ event: Event) { events.append(event) }

    mutating func remove(_ event: Event) { events.removeAll { $0.id == event.id } }
}

/// A running timer, for `trendy status`.
struct RunningTimer: Encodable {
    /// The id of the timer; its event will have another one.
    let id: String
    /// The name of its type.
    let type: String
    let since: Timestamp

    /// The running timers, in the order of their starts.
    ///
    /// - Parameter filter: Selects the timers.
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
        // A timer that has run for a while is not checked for its seconds.
        let shown = seconds < 60 ? seconds.rounded(.down) : (seconds / 60).rounded(.down) * 60
        return "\(type) since \(zone.minuteText(since)) (\(DurationText.text(shown)))"
    }
}

extension EventFilter {
    /// Whether the filter matches a running timer.
    func matches(running timer: Event) -> Bool {
        var event = timer
        event.endDate = .latest
        return matches(LocalRecord(event))
    }
}
