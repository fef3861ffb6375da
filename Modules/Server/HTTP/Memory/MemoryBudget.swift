import Synchronization
import TrendyDomain

/// How many bytes of bodies, or of answers, may be held for all requests together.
///
/// Nobody waits for room: who waits holds what others wait for. What finds none is refused, to be tried again. A user may
/// hold half of what the others leave, so that neither one nor a few can take it all.
final class MemoryBudget: Sendable {
    private struct State {
        var held = 0
        /// What each user holds.
        var byHolder: [String: Int] = [:]
    }

    private let limit: Int
    /// What a user may hold in any case, as long as there is room: the small requests of others still find some.
    private let floor: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: Bytes for all together.
    ///   - floor: Bytes that each user may hold where there is room for them.
    init(_ limit: Int, floor: Int = 64 << 10) {
        self.limit = limit
        self.floor = floor
    }

    /// Bytes that are held.
    var held: Int { state.withLock { $0.held } }

    fileprivate func take(_ bytes: Int, for holder: String) throws {
        let hasRoom = state.withLock { state in
            let own = state.byHolder[holder, default: 0]
            let left = limit - (state.held - own)
            guard own + bytes <= max(left / 2, min(floor, left)) else { return false }
            state.held += bytes
            state.byHolder[holder] = own + bytes
            return true
        }
        if !hasRoom {
            throw ServerProblem(
                .unavailable, "the server holds as much for requests under way as it can; try again", retryAfter: 1)
        }
    }

    fileprivate func giveBack(_ bytes: Int, of holder: String) {
        state.withLock { state in
            state.held -= bytes
            let left = state.byHolder[holder, default: 0] - bytes
            state.byHolder[holder] = left == 0 ? nil : left
        }
    }
}

/// What one request holds of a budget, until nothing refers to it any more.
final class MemoryShare: Sendable {
    private let budget: MemoryBudget
    private let taken = Mutex<(bytes: Int, holder: String)>((0, ""))

    init(_ budget: MemoryBudget) {
        self.budget = budget
    }

    /// Takes so many bytes more.
    ///
    /// - Parameter holder: Who the request comes from, the same each time.
    /// - Throws: ``ServerProblem`` of kind `unavailable` where there is no room for them.
    func take(_ bytes: Int, for holder: String) throws {
        try taken.withLock { taken in
            try budget.take(bytes, for: holder)
            taken = (taken.bytes + bytes, holder)
        }
    }

    /// Whether anything is held.
    var isUsed: Bool { taken.withLock { $0.bytes > 0 } }

    deinit {
        let (bytes, holder) = taken.withLock { $0 }
        if bytes > 0 { budget.giveBack(bytes, of: holder) }
    }
}

/// What a request holds of the bodies and of the answers.
struct RequestMemory: Sendable {
    /// Bytes of the bodies of all requests: 40 MiB. What is made of a body takes about three times as much.
    static let bodies = 40 << 20
    /// Bytes of the answers of all requests: 64 MiB.
    static let answers = 64 << 20

    let body: MemoryShare
    let answer: MemoryShare
}

/// Room for the answer to one request.
struct AnswerRoom: Sendable {
    let share: MemoryShare?
    let holder: String

    /// - Throws: ``ServerProblem`` of kind `unavailable` where there is no room for so many bytes more.
    func take(_ bytes: Int) throws { try share?.take(bytes, for: holder) }
}

/// The budgets of a server.
struct MemoryBudgets: Sendable {
    var bodies = MemoryBudget(RequestMemory.bodies)
    var answers = MemoryBudget(RequestMemory.answers)

    func makeRequestMemory() -> RequestMemory {
        RequestMemory(body: MemoryShare(bodies), answer: MemoryShare(answers))
    }
}
