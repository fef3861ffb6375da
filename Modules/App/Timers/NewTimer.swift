import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// A timer that is to be started.
struct NewTimer: Sendable {
    private let event: Event
    private let type: EventType
    private let makesType: Bool
    private let units: [NamedUnit]

    /// - Parameters:
    ///   - event: What the timer becomes, without its end.
    ///   - makesType: Whether the type is stored with it.
    ///   - units: The properties that name their units from now on.
    init(_ event: Event, of type: EventType, makesType: Bool = false, units: [NamedUnit] = []) {
        (self.event, self.type, self.makesType, self.units) = (event, type, makesType, units)
    }

    /// Stores the timer. Answers it as it is stored, and whether the type was made.
    ///
    /// - Throws: ``CommandFailure`` where a timer of the type runs.
    @MainActor
    func start(in context: CommandContext) async throws -> (timer: Event, isTypeMade: Bool) {
        let zone = context.process.zone
        return try await context.store.perform { writes in
            var timer = event
            var isMade = false
            if makesType {
                let stored = try type.storeUnlessThere(in: writes)
                timer.eventTypeId = stored.id
                isMade = stored.isMade
            } else {
                try writes.require(EventType.self, id: type.id, named: type.name)
            }
            var timers = try RunningTimers.load(writes)
            if let running = timers.timer(of: timer.eventTypeId) {
                throw CommandFailure.data(
                    "\(type.name) runs since \(zone.minuteText(running.timestamp)) already; "
                        + "stop it first with 'trendy stop \(quoted(type.name))'")
            }
            timers.add(timer)
            try writes.store(units)
            try timers.save(in: writes)
            return (timer, isMade)
        }
    }
}
