import Synchronization
import TrendyDomain

/// Says when to look again for what is old enough to be forgotten: once an hour.
final class PruningSchedule: Sendable {
    /// Seconds between two looks.
    private static let interval = 3_600.0

    private let last = Mutex<Timestamp?>(nil)

    /// Whether to look now. Who is told so has to do it.
    func isDue(at now: Timestamp) -> Bool {
        last.withLock { last in
            if let last, abs(now.seconds(since: last)) < Self.interval { return false }
            last = now
            return true
        }
    }
}
