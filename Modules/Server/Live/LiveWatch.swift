import Synchronization
import TrendyDomain

/// One device that watches an account: what it has to be told next.
///
/// It holds the newest head alone, never a queue. When it is let go, the hub forgets it.
final class LiveWatch: Sendable {
    /// What there is to tell.
    enum News: Sendable, Equatable {
        case head(ServerHead)
        /// Nothing has happened for a while.
        case heartbeat
    }

    let userId: String
    /// When it gets its heartbeats, so that not all get them in the same second.
    let slot: Int
    private let mailbox: LiveMailbox
    private let onEnd: @Sendable () -> Void

    init(userId: String, slot: Int, mailbox: LiveMailbox, onEnd: @escaping @Sendable () -> Void) {
        self.userId = userId
        self.slot = slot
        self.mailbox = mailbox
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    /// Waits for news; nil when the watch has ended or the task is cancelled.
    func next() async -> News? {
        await withTaskCancellationHandler {
            await mailbox.next()
        } onCancel: {
            mailbox.end()
        }
    }

    /// Ends the watch: nothing more is told.
    func end() { mailbox.end() }
}

/// Where the hub puts what one device has to be told, until that device takes it.
final class LiveMailbox: Sendable {
    private struct State {
        var head: ServerHead?
        var isHeartbeatDue = false
        var isEnded = false
        var taker: CheckedContinuation<LiveWatch.News?, Never>?
        var onStall: (@Sendable () -> Void)?

        /// What is to be told now; nil for nothing.
        mutating func take() -> LiveWatch.News? {
            if let head {
                self.head = nil
                return .head(head)
            }
            guard isHeartbeatDue else { return nil }
            isHeartbeatDue = false
            return .heartbeat
        }
    }

    private let state: Mutex<State>

    /// - Parameter onStall: Called when the device has not taken a heartbeat by the time of the next one.
    init(onStall: @escaping @Sendable () -> Void) {
        state = Mutex(State(onStall: onStall))
    }

    /// Puts a head in the place of the one before.
    func put(_ head: ServerHead) { change { $0.head = head } }

    /// Lets the device know that the connection lives.
    ///
    /// A device that has not taken the last heartbeat does not read: its connection is of no use any more.
    func beat() {
        let onStall = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.isHeartbeatDue else { return nil }
            defer { state.onStall = nil }
            return state.onStall
        }
        if let onStall {
            end()
            onStall()
        } else {
            change { $0.isHeartbeatDue = true }
        }
    }

    func end() { change { $0.isEnded = true } }

    /// Waits until there is something. One task at a time asks.
    func next() async -> LiveWatch.News? {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> LiveWatch.News?? in
                if state.isEnded { return .some(nil) }
                if let news = state.take() { return news }
                state.taker = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let (taker, news) = state.withLock { state -> (CheckedContinuation<LiveWatch.News?, Never>?, LiveWatch.News?) in
            body(&state)
            guard let taker = state.taker else { return (nil, nil) }
            let news = state.isEnded ? nil : state.take()
            guard state.isEnded || news != nil else { return (nil, nil) }
            state.taker = nil
            return (taker, news)
        }
        taker?.resume(returning: news)
    }
}
