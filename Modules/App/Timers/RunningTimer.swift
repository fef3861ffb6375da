import TrendyDomain

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
