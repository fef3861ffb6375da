import Synchronization

/// Work that goes through many things without a pause: it shows how far it is, and ends in order at Ctrl-C.
@MainActor
final class StoppableWork {
    /// How many things are done.
    private(set) var done = 0
    private let progress: Progress?
    private let interruption: (_ done: Int) -> CommandFailure
    private let stop = StopFlag()
    private let signals: StopSignals?

    /// Begins to listen for Ctrl-C, until ``end()``.
    ///
    /// - Parameters:
    ///   - progress: Where to show it; nil where that would be in the way.
    ///   - interruption: What a person is told at Ctrl-C, when so many things are done.
    init(_ context: CommandContext, _ progress: Progress?, interruption: @escaping (_ done: Int) -> CommandFailure) {
        self.progress = progress
        self.interruption = interruption
        let stop = stop
        signals = context.process.listensForSignals ? StopSignals { stop.raise() } : nil
    }

    /// Says that so many more are done.
    ///
    /// - Throws: ``CommandFailure`` at Ctrl-C.
    func step(by count: Int = 1) throws {
        if stop.isRaised || Task.isCancelled { throw interruption(done) }
        done += count
        progress?.advance(by: count)
    }

    /// Takes the progress off the screen; Ctrl-C ends the program again.
    func end() {
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
