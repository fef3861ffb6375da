import Synchronization
import TrendyDomain

/// Something that happens once and can be waited for; opening it again changes nothing.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until it is open, whether the task is cancelled or not.
    func waitDeaf() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until it is open. A test whose time is over is cancelled: it opens the gate, and says so.
    func wait() async {
        await withTaskCancellationHandler {
            await waitDeaf()
        } onCancel: {
            open()
        }
    }
}

/// A generator that does what a test says, and counts how often it is asked.
final class Scripted: InsightGeneratorProtocol {
    private let count = Mutex(0)
    private let answer: @Sendable () async throws -> [Insight]

    init(_ answer: @escaping @Sendable () async throws -> [Insight]) { self.answer = answer }

    var calls: Int { count.withLock { $0 } }

    func generate(from input: InsightInput) async throws -> [Insight] {
        count.withLock { $0 += 1 }
        return try await answer()
    }
}

/// A generator that never answers, and ends when it is cancelled.
final class HeedingGenerator: InsightGeneratorProtocol {
    let started = Gate()
    let cancelled = Gate()

    func generate(from input: InsightInput) async throws -> [Insight] {
        started.open()
        await cancelled.wait()
        throw CancellationError()
    }
}
