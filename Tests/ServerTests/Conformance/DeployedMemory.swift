import Foundation
import Synchronization
import TrendyConformance
import TrendyDomain

/// What a ``DeployedServer`` remembers from one request to the next.
final class DeployedMemory: Sendable {
    private struct State {
        var requests = 0
        var hidden: Set<String> = []
        var answers: [String: WireAnswer] = [:]
        var keys: Set<String> = []
        var windows: [String: (start: Timestamp, count: Int)] = [:]
    }

    private let state = Mutex(State())

    /// Whether the sign-in service is out: for two of every forty requests with a token.
    func isOut(_ request: WireRequest) -> Bool {
        guard request.headers["Authorization"] != nil else { return false }
        return state.withLock { state in
            state.requests += 1
            return state.requests % 40 < 2
        }
    }

    // MARK: The feed

    func hide(_ ids: [String]) { state.withLock { $0.hidden.formUnion(ids) } }

    /// Whether an entry is the deletion of a child whose type was deleted.
    func isHidden(_ entry: JSONValue) -> Bool {
        guard entry["operation"] == "delete", let id = entry["entity_id"].stringValue else { return false }
        return state.withLock { $0.hidden.contains(id) }
    }

    // MARK: Keys

    /// Whether a request comes with a key that has come before: its answer is looked up before anything is inserted.
    func isKnownKey(of request: WireRequest) -> Bool {
        guard let key = request.headers["Idempotency-Key"] else { return false }
        return state.withLock { !$0.keys.insert(key).inserted }
    }

    /// The first answer that a key got, whatever came with it later.
    func firstAnswer(_ answer: WireAnswer, to request: WireRequest) -> WireAnswer {
        let place = [
            request.headers["Authorization"] ?? "", request.method.rawValue, request.path,
            request.headers["Idempotency-Key"] ?? "",
        ].joined(separator: " ")
        return state.withLock { state in
            guard answer.status == 422, var first = state.answers[place] else {
                if (200..<300).contains(answer.status) { state.answers[place] = answer }
                return answer
            }
            first.headers["x-idempotency-replayed"] = "true"
            return first
        }
    }

    // MARK: The limiter

    /// Counts a request; each that is refused begins the window anew.
    func admits(_ request: WireRequest, now: Timestamp) -> Bool {
        let caller = request.headers["Authorization"] ?? ""
        return state.withLock { state in
            var window = state.windows[caller] ?? (now, 0)
            if now.seconds(since: window.start) >= 60 { window = (now, 0) }
            window.count += 1
            let isAdmitted = window.count <= 300
            if !isAdmitted { window.start = now }
            state.windows[caller] = window
            return isAdmitted
        }
    }
}
