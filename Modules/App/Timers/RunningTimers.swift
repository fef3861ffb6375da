import TrendyData
import TrendyDomain
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

extension EventFilter {
    /// Whether a timer is selected, as an event that has begun and has yet to end.
    func matches(running timer: Event) -> Bool {
        var event = timer
        event.endDate = .latest
        return matches(LocalRecord(event))
    }
}
