import Synchronization
import TrendyDomain

/// Says when to delete what is old enough: once a day for each account, and by a ``SettledClock`` alone.
final class PruningSchedule: Sendable {
    /// Seconds between two deletions.
    private static let interval = 86_400.0
    /// How many accounts are remembered before all are forgotten.
    private static let crowd = 10_000

    private let last = Mutex<[String: Timestamp]>([:])

    /// Whether to delete now. Who is told so has to do it.
    ///
    /// - Parameter now: The reading of a ``SettledClock``.
    func isDue(_ userId: String, at now: Timestamp) -> Bool {
        last.withLock { last in
            if let moment = last[userId], abs(now.seconds(since: moment)) < Self.interval { return false }
            if last.count >= Self.crowd { last = [:] }
            last[userId] = now
            return true
        }
    }
}
