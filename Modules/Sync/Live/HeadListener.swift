import Synchronization
import TrendyDomain

/// Hears from the server where the account stands, for as long as its task runs, over one stream after the other.
///
/// It keeps the newest head until somebody takes it. Where no stream can be had, it says nothing, and tries again now
/// and then.
final class HeadListener: Sendable {
    /// What was heard since the last time.
    struct News {
        /// The newest head; nil where none was heard.
        var head: ServerHead?
        /// Whether a stream has begun.
        var isReached = false
        /// Whether no stream could be had after one that was there: the server may be gone.
        var isMissed = false
        /// Whether a heartbeat is late: the server may stand still.
        var isSilent = false
    }

    /// Between two looks at a stream.
    static let step = Duration.seconds(5)
    /// After how many steps of silence a heartbeat is late: 25 to 30 seconds, because they come every 20 seconds.
    static let lateSteps = 6
    /// How many steps a stream may be silent: 45 seconds, more than two heartbeats.
    static let mostQuietSteps = 9
    /// How many steps the first head may take.
    static let mostStepsToHead = 2

    private let engine: SyncEngine
    private let wake: WakeUp
    private let news = Mutex(News())

    init(_ engine: SyncEngine, waking wake: WakeUp) {
        self.engine = engine
        self.wake = wake
    }

    /// What was heard since the last call.
    func take() -> News {
        news.withLock { news in
            defer { news = News() }
            return news
        }
    }

    /// Listens until the task is cancelled.
    func run() async {
        var line = LiveLine()
        var isHeard = false
        while !Task.isCancelled {
            let (end, stream) = await listen()
            if stream.hasLasted { line.lasts() }
            if stream.isHeard {
                isHeard = true
            } else if isHeard {
                isHeard = false
                news.withLock { news in
                    news.isMissed = true
                    // Who refuses a new stream has answered.
                    if end == .lost || end == .heldBack { news.isSilent = true }
                }
                wake.ring()
            }
            let pause = line.pause(after: end, random: engine.random)
            do { try await engine.clock.sleep(for: .seconds(pause)) } catch { return }
        }
    }

    /// Listens on one stream. Answers how it ended, and what is known of it.
    private func listen() async -> (LiveLine.End, ListenedStream) {
        let stream = ListenedStream()
        let end = await withTaskGroup(of: LiveLine.End.self) { group in
            group.addTask { await self.hear(stream) }
            group.addTask { [clock = engine.clock] in
                while true {
                    do { try await clock.sleep(for: Self.step) } catch { return .lost }
                    if let end = stream.step() { return end }
                    self.engine.broadcaster.noteHearing { stream.isHearing }
                    if stream.isLate { self.noteSilence() }
                }
            }
            let end = await group.next() ?? .lost
            group.cancelAll()
            return end
        }
        stream.end()
        engine.broadcaster.noteHearing { stream.isHearing }
        return (end, stream)
    }

    private func noteSilence() {
        news.withLock { $0.isSilent = true }
        wake.ring()
    }

    private func hear(_ stream: ListenedStream) async -> LiveLine.End {
        do {
            try await engine.openStream { [client = engine.networkClient] in
                try await client.watchHeads { signal in
                    let isFirst = stream.take(signal)
                    let isHeardAnew = self.engine.broadcaster.noteHearing { stream.isHearing }
                    guard case .head(let head) = signal else {
                        if isHeardAnew { self.wake.ring() }
                        return
                    }
                    self.news.withLock { news in
                        news.head = head
                        news.isReached = news.isReached || isFirst
                    }
                    self.wake.ring()
                }
            }
            return .lost
        } catch {
            return LiveLine.End(error)
        }
    }
}

/// What is known of one stream: whether it lives.
private final class ListenedStream: Sendable {
    private struct State {
        var isOpen = false
        var hasHead = false
        var isOver = false
        /// Steps since something was heard.
        var quietSteps = 0
        var stepsToHead = 0
        var stepsWithHead = 0
    }

    private let state = Mutex(State())

    /// Whether it was there for longer than one that is cut off as soon as it has begun.
    var hasLasted: Bool { state.withLock { $0.stepsWithHead >= 2 } }

    /// Whether the server has said where the account stands.
    var isHeard: Bool { state.withLock { $0.hasHead } }

    /// Whether the server is heard on it right now: it has told a head, and no heartbeat is late.
    var isHearing: Bool {
        state.withLock { $0.hasHead && !$0.isOver && $0.quietSteps < HeadListener.lateSteps }
    }

    /// Whether a heartbeat has become late with the last step.
    var isLate: Bool { state.withLock { $0.hasHead && $0.quietSteps == HeadListener.lateSteps } }

    /// Notes a signal. Answers whether it is the first head.
    func take(_ signal: LiveSignal) -> Bool {
        state.withLock { state in
            state.quietSteps = 0
            state.isOpen = true
            guard case .head = signal, !state.hasHead else { return false }
            state.hasHead = true
            return true
        }
    }

    /// Notes that it has ended.
    func end() { state.withLock { $0.isOver = true } }

    /// Notes that a step has passed. Answers why the stream is of no use; nil while it is.
    func step() -> LiveLine.End? {
        state.withLock { state in
            // Until it is open, the transport watches the time.
            guard state.isOpen else { return nil }
            state.quietSteps += 1
            guard state.hasHead else {
                // A heartbeat does not stand for the head.
                state.stepsToHead += 1
                return state.stepsToHead >= HeadListener.mostStepsToHead ? .heldBack : nil
            }
            state.stepsWithHead += 1
            return state.quietSteps >= HeadListener.mostQuietSteps ? .lost : nil
        }
    }
}
