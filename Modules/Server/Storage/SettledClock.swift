import Synchronization
import TrendyDomain

/// Tells a moment that has passed for sure, even where the wall clock jumps ahead.
///
/// What a jump made look old cannot be brought back once it is deleted. So this clock starts at the lowest reading of
/// the wall clock since the process started, and moves on with the time that the process ran: a wall clock that jumps
/// ahead does not move it. It tells nothing on the first day, because the process may have started within a jump.
///
/// A wall clock that was once too far back holds this one back until the next start. What is old is then kept longer.
final class SettledClock: Sendable {
    /// How long a process runs before it tells a moment, in milliseconds: one day. Time services correct a clock
    /// within minutes, and people within a day.
    private static let proving: Int64 = 86_400_000

    private let wall: any WallClock
    private let uptime: @Sendable () -> Duration
    /// The lowest wall time at which this process can have started.
    private let start: Mutex<Int64>

    /// - Parameter uptime: A clock that does not jump. Its time counts from now.
    init(_ wall: any WallClock, uptime: some Clock<Duration>) {
        let origin = uptime.now
        self.wall = wall
        self.uptime = { origin.duration(to: uptime.now) }
        start = Mutex(wall.now().milliseconds)
    }

    /// A moment that has passed for sure, or nil on the first day.
    func now() -> Timestamp? {
        let elapsed = uptime().wholeMilliseconds
        let reading = wall.now().milliseconds
        let start = start.withLock { start in
            start = min(start, reading - elapsed)
            return start
        }
        return elapsed < Self.proving ? nil : Timestamp(milliseconds: start + elapsed)
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
