import Synchronization
import TrendyDomain

/// The callers who wait for the sync that is running, to share its result.
///
/// It is outside of the actor, so that a cancelled caller returns at once.
final class WaitingCallers: Sendable {
    /// What a caller waits for.
    enum End: Sendable {
        /// The sync ended with this.
        case report(SyncReport)
        /// The sync was cancelled by its own caller: another caller takes over.
        case takeOver
        /// The caller himself was cancelled.
        case cancelled
    }

    private struct State {
        var next = 0
        var waiting: [Int: CheckedContinuation<End, Never>] = [:]
        var cancelledEarly: Set<Int> = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.waiting.count } }

    /// The number of the caller who came last.
    var newest: Int { state.withLock { $0.next } }

    /// Whether a caller waits who came after the caller of that number.
    func haveCome(after number: Int) -> Bool {
        state.withLock { state in state.waiting.keys.contains { $0 > number } }
    }

    /// Waits until ``resume(_:)``, or until the caller is cancelled.
    func wait() async -> End {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledEarly.remove(number) != nil { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isCancelled { continuation.resume(returning: .cancelled) }
            }
        } onCancel: {
            leave(number)
        }
    }

    /// Resumes the waiting callers, in the order in which they came.
    ///
    /// - Parameter last: The number of the last caller to resume; nil for all.
    func resume(_ end: End, upTo last: Int? = nil) {
        let leaving = state.withLock { state in
            let numbers = state.waiting.keys.filter { $0 <= last ?? .max }.sorted()
            return numbers.compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in leaving { continuation.resume(returning: end) }
    }

    private func leave(_ number: Int) {
        let continuation = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: number)
            if waiting == nil { state.cancelledEarly.insert(number) }
            return waiting
        }
        continuation?.resume(returning: .cancelled)
    }
}
