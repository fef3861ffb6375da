import Synchronization

/// A clock on which everyone sleeps until it is told to wake them, whatever time they asked for.
final class GatedClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let asleep = Gate()
    let cancelled = Gate()
    private let awake = Gate()
    private let asked = Mutex(Duration.zero)

    var now: Instant { Instant() }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// How long the last sleeper wanted to sleep.
    var duration: Duration { asked.withLock { $0 } }

    func wake() { awake.open() }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        asked.withLock { $0 = deadline.offset }
        asleep.open()
        await withTaskCancellationHandler {
            await awake.waitDeaf()
        } onCancel: {
            cancelled.open()
            awake.open()
        }
        try Task.checkCancellation()
    }
}
