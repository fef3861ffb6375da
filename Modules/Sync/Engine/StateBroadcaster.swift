import Synchronization
import TrendyDomain

/// Tells any number of listeners about every change of the engine's state.
final class StateBroadcaster: Sendable {
    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<SyncState>.Continuation] = [:]
        var latest = SyncState.idle
        var received = 0
        var requests = 0
        var isHearing = false
    }

    private let listeners = Mutex(Listeners())

    /// The states from now on, beginning with the present one.
    func stream() -> AsyncStream<SyncState> {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncState.self, bufferingPolicy: .bufferingNewest(256))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[listeners.next] = continuation
            continuation.yield(listeners.latest)
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// The state that was sent last.
    var latest: SyncState { listeners.withLock { $0.latest } }

    /// How many records and deletions the server has sent since the engine last began to receive.
    var received: Int { listeners.withLock { $0.received } }

    func noteReceived(_ count: Int) {
        listeners.withLock { $0.received = count }
    }

    /// How many requests the engine has begun.
    var requests: Int { listeners.withLock { $0.requests } }

    func noteRequest() {
        listeners.withLock { $0.requests += 1 }
    }

    /// Whether the server is heard on a live line.
    var isHearing: Bool { listeners.withLock { $0.isHearing } }

    /// Notes whether the server is heard, which is asked under the lock, so that the newest answer stays. Answers
    /// whether it is heard now, and was not before.
    @discardableResult
    func noteHearing(_ isHearing: () -> Bool) -> Bool {
        listeners.withLock { listeners in
            let wasHearing = listeners.isHearing
            listeners.isHearing = isHearing()
            return listeners.isHearing && !wasHearing
        }
    }

    func send(_ state: SyncState) {
        listeners.withLock { listeners in
            guard listeners.latest != state else { return }
            if state == .pulling { listeners.received = 0 }
            listeners.latest = state
            for continuation in listeners.continuations.values { continuation.yield(state) }
        }
    }

    deinit {
        listeners.withLock { listeners in
            for continuation in listeners.continuations.values { continuation.finish() }
        }
    }
}
