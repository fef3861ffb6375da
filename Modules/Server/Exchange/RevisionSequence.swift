import TrendyDomain

/// Hands out the revisions of one account within one transaction, in the order of its writes.
///
/// The transaction holds the account's lock from before the first read of the history, so revisions are in the order of
/// commits. A history is begun by the first who asks for it.
final class RevisionSequence {
    private let userId: String
    private let transaction: any ServerTransaction
    private let random: any RandomSource
    private var known: AccountHistory?
    private var isChanged = false

    init(of userId: String, in transaction: any ServerTransaction, random: any RandomSource) {
        self.userId = userId
        self.transaction = transaction
        self.random = random
    }

    /// The history as it is after what was handed out.
    func history() throws -> AccountHistory {
        if let known { return known }
        if let stored = try transaction.history(userId: userId) {
            known = stored
            return stored
        }
        return begin(at: 0)
    }

    /// The revision of the next change.
    func next() throws -> Int64 {
        var history = try history()
        history.head += 1
        known = history
        isChanged = true
        return history.head
    }

    /// Begins another history that goes on from the present head: revisions that devices have of the one before mean
    /// nothing any more.
    func renew() throws -> AccountHistory { begin(at: try history().head) }

    /// Keeps what was handed out.
    func save() throws {
        if let known, isChanged { try transaction.save(known, userId: userId) }
    }

    private func begin(at head: Int64) -> AccountHistory {
        let epoch = String(random.next(), radix: 36) + String(random.next(), radix: 36)
        let history = AccountHistory(epoch: epoch, head: head, horizon: known?.horizon ?? 0)
        (known, isChanged) = (history, true)
        return history
    }
}
