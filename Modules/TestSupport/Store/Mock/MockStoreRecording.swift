import Synchronization
import TrendyDomain

/// What a mock store was asked, and the script of what becomes of the next calls.
///
/// A ``MockDataStoreFactory`` and all units of work that it made share one. Tests read it through
/// ``MockStoreSpy``, so that both have the same counters.
public final class MockStoreRecording: Sendable {
    private struct ScriptKey: Hashable {
        let operation: MockStoreOperation
        let entityType: EntityType?
    }

    private struct State {
        var calls: [MockStoreCall] = []
        var queues: [ScriptKey: [MockStoreAnswer]] = [:]
        var standing: [ScriptKey: MockStoreAnswer] = [:]

        mutating func nextAnswer(_ call: MockStoreCall) -> MockStoreAnswer {
            var keys = [ScriptKey(operation: call.operation, entityType: nil)]
            if let type = call.entityType { keys.insert(ScriptKey(operation: call.operation, entityType: type), at: 0) }
            for key in keys {
                guard let answer = queues[key]?.first else { continue }
                queues[key]?.removeFirst()
                return answer
            }
            return keys.lazy.compactMap { [standing] in standing[$0] }.first ?? .serve
        }
    }

    private let state = Mutex(State())

    /// Makes an empty recording, in which every call is served.
    public init() {}

    var calls: [MockStoreCall] { state.withLock { $0.calls } }

    func enqueue(_ answer: MockStoreAnswer, times: Int, for operation: MockStoreOperation, _ type: EntityType?) {
        let answers = Array(repeating: answer, count: max(0, times))
        state.withLock { $0.queues[ScriptKey(operation: operation, entityType: type), default: []] += answers }
    }

    func always(_ answer: MockStoreAnswer?, for operation: MockStoreOperation, _ type: EntityType?) {
        state.withLock { $0.standing[ScriptKey(operation: operation, entityType: type)] = answer }
    }

    func reset() {
        state.withLock { $0 = State() }
    }

    /// Records a call, and serves it or does what the script says.
    func answer<Result>(_ call: MockStoreCall, serve: () throws -> Result) throws -> Result {
        let answer = state.withLock { state in
            state.calls.append(call)
            return state.nextAnswer(call)
        }
        switch answer {
        case .serve: return try serve()
        case .fail(let error): throw error
        case .serveThenFail(let error):
            _ = try serve()
            throw error
        }
    }
}
