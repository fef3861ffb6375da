import Synchronization
public import TrendyDomain

/// A wall clock that shows what a test sets, and stands still in between.
public final class ManualWallClock: WallClock {
    /// The time that a clock shows when none was given: 2026-01-01T00:00:00.000Z.
    public static let defaultStart = Timestamp(milliseconds: 1_767_225_600_000)

    private let time: Mutex<Timestamp>

    /// Makes a clock that shows the given time.
    public init(_ start: Timestamp = ManualWallClock.defaultStart) {
        time = Mutex(start)
    }

    /// The moment that the clock was set to.
    public func now() -> Timestamp { time.withLock { $0 } }

    /// Shows another time, earlier or later.
    public func set(_ moment: Timestamp) { time.withLock { $0 = moment } }

    /// Moves the time by so many milliseconds; negative ones move it back.
    public func advance(byMilliseconds delta: Int64) {
        time.withLock { $0 = $0.advanced(byMilliseconds: delta) }
    }

    /// Moves the time by so many seconds; negative ones move it back.
    public func advance(bySeconds seconds: Double) {
        time.withLock { $0 = $0.advanced(bySeconds: seconds) }
    }
}
