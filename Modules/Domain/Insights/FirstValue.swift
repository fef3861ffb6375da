import Synchronization

/// Passes on the first value that is offered, and drops all others.
final class FirstValue<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case offered(Value)
        case delivered
    }

    private let state = Mutex(State.empty)

    /// Offers a value; only the first one offered is kept.
    func offer(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .offered(value)
                return nil
            case .awaited(let continuation):
                state = .delivered
                return continuation
            case .offered, .delivered:
                return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the first value. Call it once.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Value? in
                guard case .offered(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .delivered
                return value
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }
}
