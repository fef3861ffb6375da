import TrendyDomain
import TrendyNotation

/// A timer that runs, as `trendy status` shows it.
struct RunningTimer: Encodable {
    /// The id of the timer; the event that it becomes has another one.
    let id: String
    /// The name of its type.
    let type: String
    let since: Timestamp

    /// The timers that run, in the order of their beginnings.
    ///
    /// - Parameter types: The ids of the types whose timers are asked for; nil for all.
    @MainActor
    static func all(in context: CommandContext, of types: Set<String>? = nil) throws -> [RunningTimer] {
        let timers = try RunningTimers.load(context.reader).events
            .filter { types?.contains($0.eventTypeId) ?? true }
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
