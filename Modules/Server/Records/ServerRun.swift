import Synchronization
import TrendyDomain

/// The name of this start of a server, by which cursors prove their history.
///
/// A server may stay up while its data is put back beneath it. Under the same name it would give the lost revisions to
/// other changes, and a cursor would prove both. So it remembers how far it has come in an account, and takes another
/// name when it finds a history without that.
final class ServerRun: Sendable {
    /// How many accounts it remembers at least; it remembers twice as many at most.
    static let crowd = 5_000

    private struct State {
        var name: String
        /// How far it has come in the accounts that were written last, and in those before.
        var recent: [String: EndedRun] = [:]
        var earlier: [String: EndedRun] = [:]
    }

    private let random: any RandomSource
    private let state: Mutex<State>

    init(_ random: any RandomSource) {
        self.random = random
        state = Mutex(State(name: Self.draw(random)))
    }

    private static func draw(_ random: any RandomSource) -> String { String(random.next(), radix: 36) }

    /// Its name, and how far it has come in a user's account; nil where it does not remember that.
    func standing(of userId: String) -> (name: String, reached: EndedRun?) {
        state.withLock { ($0.name, $0.recent[userId] ?? $0.earlier[userId]) }
    }

    /// Remembers how far a transaction has brought a user's history, just before the commit. Where that fails, this run
    /// takes another name for nothing, which does no harm.
    func note(_ history: AccountHistory, of userId: String) {
        let reached = EndedRun(name: history.run, last: history.head)
        state.withLock { state in
            state.recent[userId] = reached
            if state.recent.count >= Self.crowd { (state.earlier, state.recent) = (state.recent, [:]) }
        }
    }

    /// Takes another name, unless it has done so since it had that one. Nothing was written under the new name, so all
    /// that it remembers is forgotten.
    func renew(after former: String) -> String {
        state.withLock { state in
            if state.name == former { state = State(name: Self.draw(random)) }
            return state.name
        }
    }
}
