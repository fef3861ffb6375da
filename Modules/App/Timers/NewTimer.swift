import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// A timer to start.
struct NewTimer: Sendable {
    private let event: Event
    private let type: EventType
    private let makesType: Bool
    private let units: [AdoptedUnit]

    /// - Parameters:
    ///   - event: The event that the timer becomes, without an end.
    ///   - makesType: Whether the type is created with it.
    ///   - units: The properties that get a unit.
    init(_ event: Event, of type: EventType, makesType: Bool = false, units: [AdoptedUnit] = []) {
        (self.event, self.type, self.makesType, self.units) = (event, type, makesType, units)
    }

    /// Stores the timer. Returns the stored timer, and whether the type was created.
    ///
    /// - Throws: ``CommandFailure`` if a timer of the type runs already.
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
                    "a timer of \(type.name) is running since \(zone.minuteText(running.timestamp)); "
                        + "stop it first with 'trendy stop \(quoted(type.name))'")
            }
            timers.add(timer)
            try writes.store(units)
            try timers.save(in: writes)
            return (timer, isMade)
        }
    }
}
