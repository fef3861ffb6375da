import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Work that goes through many things without a pause: it shows how far it is, and ends in order at Ctrl-C.
@MainActor
package final class StoppableWork {
    /// How many things are done.
    package private(set) var done = 0
    private let progress: Progress?
    private let interruption: (_ done: Int) -> CommandFailure
    private let stop = StopFlag()
    private let signals: StopSignals?

    /// Begins to listen for Ctrl-C, until ``end()``.
    ///
    /// - Parameters:
    ///   - progress: Where to show it; nil where that would be in the way.
    ///   - listensForSignals: Whether Ctrl-C and SIGTERM may be listened for.
    ///   - interruption: What a person is told at Ctrl-C, when so many things are done.
    package init(
        _ progress: Progress?, listensForSignals: Bool, interruption: @escaping (_ done: Int) -> CommandFailure
    ) {
        self.progress = progress
        self.interruption = interruption
        let stop = stop
        signals = listensForSignals ? StopSignals { stop.raise() } : nil
    }

    /// Says that so many more are done.
    ///
    /// - Throws: ``CommandFailure`` at Ctrl-C.
    package func step(by count: Int = 1) throws {
        if stop.isRaised || Task.isCancelled { throw interruption(done) }
        done += count
        progress?.advance(by: count)
    }

    /// Takes the progress off the screen; Ctrl-C ends the program again.
    package func end() {
        progress?.end()
        signals?.end()
    }
}

/// Says from another thread that work has to stop.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}

/// Lets Ctrl-C and SIGTERM end a piece of work in order, instead of the program at once.
///
/// The first signal cancels the work, which stops where everything is consistent and throws; another one, a second later
/// at the earliest, ends the program as it would have without this.
@MainActor
package struct Interruption {
    /// Whether signals may be listened for; the work is not interrupted where they may not.
    package let listensForSignals: Bool

    package init(listensForSignals: Bool) {
        self.listensForSignals = listensForSignals
    }

    /// Does the work in a task of its own, which a signal cancels.
    ///
    /// - Throws: What the work throws; `CancellationError` or what it makes of that where a signal came.
    package func during<Result: Sendable>(_ work: @escaping @MainActor () async throws -> Result) async throws -> Result
    {
        let task = Task { try await work() }
        let signals = listensForSignals ? StopSignals { task.cancel() } : nil
        defer { signals?.end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Listens for SIGINT and SIGTERM, so that a command that stays can end in order.
///
/// A signal that comes a second or more after the first ends the program at once, as it would without this. One that
/// comes sooner is the first one over again: GNU `timeout` sends it to its child and then to the child's whole group.
package struct StopSignals {
    private static let pause = DispatchTimeInterval.seconds(1)

    private let listening: SignalRelay.Listening?

    /// Begins to listen.
    ///
    /// - Parameter stop: Called for each signal, on a queue of the system.
    package init(_ stop: @escaping @Sendable () -> Void) {
        listening = SignalRelay.listen(to: [SIGINT, SIGTERM]) { number, listening in
            stop()
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { listening.release(number) }
        }
    }

    /// Stops listening; signals end the program again.
    package func end() { listening?.end() }
}
