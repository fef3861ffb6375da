import Synchronization
import TrendyDomain

/// Events whose place in the feed is taken and whose transaction is still open: every fifth one that is written
/// while others are.
///
/// Its answer is held back until the feed was read beyond it, or nobody else writes any more.
final class LateCommits: Sendable {
    private struct State {
        var active = 0
        var begun = 0
        /// By the event: who waits for its commit.
        var open: [String: CheckedContinuation<Void, Never>] = [:]
        var places: [String: Int64] = [:]
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.active += 1 } }

    /// Ends a write, now or when the feed was read beyond it.
    func finish(_ event: String) async {
        let isLate = state.withLock { state in
            state.begun += 1
            return state.begun % 5 == 0 && state.active > 1 && state.open[event] == nil
        }
        if isLate {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.active -= 1
                    state.open[event] = continuation
                    return Self.takeAll(where: state.active == 0, &state)
                }
                for continuation in ready { continuation.resume() }
            }
            return
        }
        let ready = state.withLock { state in
            state.active -= 1
            return Self.takeAll(where: state.active == 0, &state)
        }
        for continuation in ready { continuation.resume() }
    }

    func isUncommitted(_ entry: JSONValue) -> Bool {
        guard let event = entry["entity_id"].stringValue, case .integer(let place) = entry["id"] else { return false }
        return state.withLock { state in
            guard state.open[event] != nil else { return false }
            state.places[event] = place
            return true
        }
    }

    /// Commits what lies before the last entry that a reader has been shown.
    func showed(upTo last: JSONValue?) {
        guard case .integer(let shown)? = last?["id"] else { return }
        let ready = state.withLock { state in
            let passed = state.places.filter { $0.value < shown }.map(\.key)
            for event in passed { state.places[event] = nil }
            return passed.compactMap { state.open.removeValue(forKey: $0) }
        }
        for continuation in ready { continuation.resume() }
    }

    private static func takeAll(
        where isQuiet: Bool, _ state: inout State
    ) -> [CheckedContinuation<Void, Never>] {
        guard isQuiet else { return [] }
        let all = Array(state.open.values)
        state.open = [:]
        state.places = [:]
        return all
    }
}
