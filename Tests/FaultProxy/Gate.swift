import Synchronization

/// Holds tasks back until it is opened; those who come later are held until it is opened again.
final class Gate: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    func wait() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
        }
    }

    func open() {
        let released = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in released { continuation.resume() }
    }
}
