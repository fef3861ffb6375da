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
