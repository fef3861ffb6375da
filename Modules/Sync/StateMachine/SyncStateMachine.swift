/// What a sync cycle does next: a pure value, event in, action out.
///
/// A cycle is: breaker check, health check, push, then pull, or bootstrap and pull, then idle. An event
/// that does not belong to the present phase is refused and changes nothing.
struct SyncStateMachine: Equatable {
    enum Phase: String, CaseIterable {
        case idle, checkingHealth, pushing, bootstrapping, pulling
    }

    enum Event: Equatable {
        /// A cycle is asked for; `silence` is what the breaker says, in seconds.
        case start(silence: Double?, needsBootstrap: Bool)
        case healthy
        case pushed
        case bootstrapped
        case pulled
        case stopped(CycleStop)
    }

    enum Action: Equatable {
        case checkHealth
        case push
        case bootstrap
        case pull
        case finish(CycleStop?)
    }

    struct IllegalTransition: Error, Equatable {
        var phase: Phase
        var event: Event
    }

    private(set) var phase = Phase.idle
    private var needsBootstrap = false

    mutating func handle(_ event: Event) throws(IllegalTransition) -> Action {
        switch (phase, event) {
        case (.idle, .start(.some, _)):
            return .finish(.rateLimited)
        case (.idle, .start(.none, let needsBootstrap)):
            self.needsBootstrap = needsBootstrap
            phase = .checkingHealth
            return .checkHealth
        case (.checkingHealth, .healthy):
            phase = .pushing
            return .push
        case (.pushing, .pushed):
            phase = needsBootstrap ? .bootstrapping : .pulling
            return needsBootstrap ? .bootstrap : .pull
        case (.bootstrapping, .bootstrapped):
            phase = .pulling
            return .pull
        case (.pulling, .pulled):
            phase = .idle
            return .finish(nil)
        case (.checkingHealth, .stopped(let stop)), (.pushing, .stopped(let stop)),
            (.bootstrapping, .stopped(let stop)), (.pulling, .stopped(let stop)):
            phase = .idle
            return .finish(stop)
        default:
            throw IllegalTransition(phase: phase, event: event)
        }
    }
}
