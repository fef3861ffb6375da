import Synchronization
public import TrendyDomain

/// Lets through so many requests a window for each caller.
///
/// A window begins with a caller's first request and lasts as long as it lasts: requests that are refused
/// do not prolong it.
public final class RateLimiter: Sendable {
    /// Seconds that a window lasts.
    public static let window = 60.0
    /// How many callers are remembered before those whose window is over are forgotten.
    private static let crowd = 10_000

    private struct Window {
        var start: Timestamp
        var count: Int
    }

    private struct Windows {
        var byCaller: [String: Window] = [:]
        /// How many callers are remembered before somebody is forgotten. It grows with those who have to be
        /// remembered, so that forgetting takes little time for each request.
        var most = RateLimiter.crowd

        mutating func forget(_ now: Timestamp) {
            guard byCaller.count >= most else { return }
            byCaller = byCaller.filter { RateLimiter.isOpen($0.value, now) }
            most = max(RateLimiter.crowd, 2 * byCaller.count)
        }
    }

    private let limit: Mutex<Int?>
    private let clock: any WallClock
    private let windows = Mutex(Windows())

    /// Makes a limiter that has counted nothing yet.
    ///
    /// - Parameter limit: Requests a minute for each caller; nil for no limit.
    public init(limit: Int?, clock: any WallClock = SystemWallClock()) {
        self.limit = Mutex(limit)
        self.clock = clock
    }

    /// From the next request on, so many a minute are let through; nil for any number. What was counted stays.
    func setLimit(_ limit: Int?) { self.limit.withLock { $0 = limit } }

    /// Counts a request.
    ///
    /// - Throws: ``ServerProblem`` of kind `rateLimit`, with the seconds to wait, where it is one too many.
    public func admit(_ caller: String) throws {
        guard let limit = limit.withLock({ $0 }) else { return }
        let now = clock.now()
        let wait: Double? = windows.withLock { windows in
            windows.forget(now)
            guard var window = windows.byCaller[caller], Self.isOpen(window, now) else {
                windows.byCaller[caller] = Window(start: now, count: 1)
                return limit >= 1 ? nil : Self.window
            }
            guard window.count < limit else { return Self.window - now.seconds(since: window.start) }
            window.count += 1
            windows.byCaller[caller] = window
            return nil
        }
        guard let wait else { return }
        let seconds = max(1, Int(wait.rounded(.up)))
        throw ServerProblem(
            .rateLimit, "more than \(limit) requests a minute; wait \(seconds) s", retryAfter: seconds)
    }

    /// Takes back the counting of a request that has turned out to be none of those that are limited.
    func giveBack(_ caller: String) {
        windows.withLock { windows in
            guard let count = windows.byCaller[caller]?.count, count > 0 else { return }
            windows.byCaller[caller]?.count = count - 1
        }
    }

    /// A clock that was set back ends the window too, else a caller could be locked out for long.
    private static func isOpen(_ window: Window, _ now: Timestamp) -> Bool {
        let age = now.seconds(since: window.start)
        return age >= 0 && age < Self.window
    }
}
