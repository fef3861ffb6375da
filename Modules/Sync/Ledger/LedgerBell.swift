import Synchronization

/// Wakes those who wait for something in the ledger to be settled.
final class LedgerBell: Sendable {
    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let listeners = Mutex(Listeners())

    /// The rings from now on. One ring is kept until somebody waits for it.
    func rings() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    func ring() {
        let waiting = listeners.withLock { Array($0.continuations.values) }
        for continuation in waiting { continuation.yield() }
    }
}
