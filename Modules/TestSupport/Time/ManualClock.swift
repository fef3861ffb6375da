import Synchronization

/// A clock whose time passes only when a test says so; those who sleep on it wake when it is advanced.
///
/// ```swift
/// let clock = ManualClock()
/// async let result = retry(on: clock)
/// await clock.waitForSleepers()     // until somebody sleeps
/// clock.advance(by: .seconds(30))   // wakes everyone whose time has come
/// ```
public final class ManualClock: Clock {
    /// A moment of a ``ManualClock``: the time since it was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        /// Makes the moment that long after the clock was made.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// The instant after this duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How long after this instant the other one is; negative where it is before.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left instant is before the right one.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var nextId = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelledEarly: Set<Int> = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    /// Makes a clock at its zero.
    public init() {}

    /// The instant that the clock was moved to.
    public var now: Instant { state.withLock { $0.now } }
    /// A nanosecond: the clock stands wherever it was put.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep on the clock now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// How long it is until the next sleeper wakes, nil where nobody sleeps.
    public var timeUntilNextWake: Duration? {
        state.withLock { state in
            state.sleepers.values.map(\.deadline).min().map { state.now.duration(to: $0) }
        }
    }

    /// Sleeps until the clock is advanced to that moment.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                fallAsleep(id, Sleeper(deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancelSleeper(id)
        }
    }

    /// Lets that much time pass and wakes, in the order of their deadlines, all whose time has come.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
                .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// Lets time pass until the next sleeper wakes. Answers whether anyone slept.
    @discardableResult
    public func advanceToNextWake() -> Bool {
        guard let duration = timeUntilNextWake else { return false }
        advance(by: max(duration, .zero))
        return true
    }

    /// Waits until at least so many tasks sleep on the clock.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    private enum Bedtime {
        case cancelled
        case due
        case asleep([CheckedContinuation<Void, Never>])
    }

    private func fallAsleep(_ id: Int, _ sleeper: Sleeper) {
        let bedtime = state.withLock { state -> Bedtime in
            if state.cancelledEarly.remove(id) != nil { return .cancelled }
            if sleeper.deadline <= state.now { return .due }
            state.sleepers[id] = sleeper
            let reached = state.watchers.filter { $0.count <= state.sleepers.count }
            state.watchers.removeAll { $0.count <= state.sleepers.count }
            return .asleep(reached.map(\.continuation))
        }
        switch bedtime {
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        case .due: sleeper.continuation.resume()
        case .asleep(let watchers): for watcher in watchers { watcher.resume() }
        }
    }

    private func cancelSleeper(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
            state.cancelledEarly.insert(id)
            return nil
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
