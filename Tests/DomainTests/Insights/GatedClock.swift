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
    private let sleepers = Mutex<(isAwake: Bool, gates: [Gate])>((false, []))
    private let asked = Mutex(Duration.zero)

    var now: Instant { Instant() }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// How long the last sleeper wanted to sleep.
    var duration: Duration { asked.withLock { $0 } }

    /// Wakes those who sleep, and lets nobody sleep any more.
    func wake() {
        let gates = sleepers.withLock { sleepers in
            sleepers.isAwake = true
            return sleepers.gates
        }
        for gate in gates { gate.open() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        asked.withLock { $0 = deadline.offset }
        // Each has a gate of its own: one who is cancelled wakes nobody else.
        let gate = Gate()
        let isAwake = sleepers.withLock { sleepers in
            sleepers.gates.append(gate)
            return sleepers.isAwake
        }
        if isAwake { gate.open() }
        asleep.open()
        await withTaskCancellationHandler {
            await gate.waitDeaf()
        } onCancel: {
            cancelled.open()
            gate.open()
        }
        try Task.checkCancellation()
    }
}
