import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A long loop with a progress display, which Ctrl-C stops cleanly.
@MainActor
package final class StoppableWork {
    /// The number of finished steps.
    package private(set) var done = 0
    private let progress: Progress?
    private let interruption: (_ done: Int) -> CommandFailure
    private let stop = StopFlag()
    private let signals: StopSignals?

    /// Starts to listen for Ctrl-C, until ``end()``.
    ///
    /// - Parameters:
    ///   - progress: The progress display; nil for none.
    ///   - listensForSignals: Whether to handle Ctrl-C and SIGTERM.
    ///   - interruption: The error for Ctrl-C after a number of steps.
    package init(
        _ progress: Progress?, listensForSignals: Bool, interruption: @escaping (_ done: Int) -> CommandFailure
    ) {
        self.progress = progress
        self.interruption = interruption
        let stop = stop
        signals = listensForSignals ? StopSignals { stop.raise() } : nil
    }

    /// Counts finished steps.
    ///
    /// - Throws: ``CommandFailure`` at Ctrl-C.
    package func step(by count: Int = 1) throws {
        if stop.isRaised || Task.isCancelled { throw interruption(done) }
        done += count
        progress?.advance(by: count)
    }

    /// Removes the progress display, and stops handling Ctrl-C.
    package func end() {
        progress?.end()
        signals?.end()
    }
}

/// A request from another thread to stop.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}

/// Lets Ctrl-C and SIGTERM stop work cleanly, instead of ending the program at once.
///
/// The first signal cancels the work, which stops in a consistent state and throws. Another signal after at least a
/// second ends the program.
@MainActor
package struct Interruption {
    /// Whether to handle signals.
    package let listensForSignals: Bool

    package init(listensForSignals: Bool) {
        self.listensForSignals = listensForSignals
    }

    /// Runs the work in its own task, which a signal cancels.
    ///
    /// - Throws: The error of the work; after a signal usually `CancellationError`.
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

/// Handles SIGINT and SIGTERM, so that a long-running command can stop cleanly.
///
/// A second signal after at least a second ends the program at once. An earlier one is ignored, because GNU `timeout`
/// sends its signal twice: to its child and to the child's process group.
package struct StopSignals {
    private static let pause = DispatchTimeInterval.seconds(1)

    private let listening: SignalRelay.Listening?

    /// Starts to listen.
    ///
    /// - Parameter stop: Called for each signal, on a queue of the system.
    package init(_ stop: @escaping @Sendable () -> Void) {
        listening = SignalRelay.listen(to: [SIGINT, SIGTERM]) { number, listening in
            stop()
            DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { listening.release(number) }
        }
    }

    /// Stops handling signals, which then end the program.
    package func end() { listening?.end() }
}
