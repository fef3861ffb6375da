/// Who waits for his turn, and who is next.
///
/// Each one who waits belongs to an address and to an account. Addresses take turns, and accounts do: who is next has the
/// address or account, whichever had more turns, that had fewest of all (start-time fair queueing, Goyal and others, 1996).
/// Who has just come stands no worse than the best of those who wait. So a thousand guesses at one account, or from one
/// address, stand before one turn of anybody else's.
struct Turns<Work: Sendable> {
    /// One who waits, or has his turn.
    struct Entry: Sendable {
        let work: Work
        fileprivate let address: String
        fileprivate let account: String
        fileprivate let number: Int
    }

    /// How many of one account wait or have their turn.
    static var accountShare: Int { 4 }
    /// How many of one address wait or have their turn.
    static var addressShare: Int { 16 }
    /// How many wait in all.
    static var most: Int { 64 }

    private var waiting: [Entry] = []
    /// How many wait or have their turn, by address and by account.
    private var held: [String: Int] = [:]
    /// The turns that an address or account has had, for those who stand worse than who has just come.
    private var turns: [String: Int] = [:]
    /// The turns of who has just come.
    private var start = 0
    private var arrivals = 0
    private var served = 0

    /// How many wait.
    var count: Int { waiting.count }

    /// Has someone wait.
    ///
    /// - Returns: Who has to go, because there are too many of his account, of his address, or in all: of those with the
    ///   most the one who came last.
    mutating func add(_ work: Work, address: String, account: String) -> Work? {
        arrivals += 1
        let new = Entry(
            work: work, address: "address \(address)", account: "account \(account)", number: arrivals)
        guard held[new.account, default: 0] < Self.accountShare else { return work }
        hold(new, 1)
        waiting.append(new)
        let crowd: [Entry]
        if held[new.address, default: 0] > Self.addressShare {
            crowd = waiting.filter { $0.address == new.address }
        } else if waiting.count > Self.most {
            crowd = waiting
        } else {
            return nil
        }
        guard let last = crowd.max(by: { weight($0) < weight($1) }) else { return nil }
        waiting.removeAll { $0.number == last.number }
        hold(last, -1)
        return last.work
    }

    /// Takes out who is next; ``end(_:)`` is to be told when his turn is over.
    mutating func next() -> Entry? {
        guard let place = waiting.indices.min(by: { rank(waiting[$0]) < rank(waiting[$1]) }) else { return nil }
        let next = waiting.remove(at: place)
        start = max(start, rank(next).0)
        for name in [next.address, next.account] { turns[name] = had(name) + 1 }
        served += 1
        // However many have just come, nobody waits for ever.
        if served.isMultiple(of: Self.most) { start += 1 }
        turns = turns.filter { $0.value > start }
        return next
    }

    /// Makes room for another one of the same account and address.
    mutating func end(_ entry: Entry) { hold(entry, -1) }

    private func had(_ name: String) -> Int { max(turns[name] ?? 0, start) }

    private func rank(_ one: Entry) -> (Int, Int, Int) {
        let (address, account) = (had(one.address), had(one.account))
        return (max(address, account), min(address, account), one.number)
    }

    private func weight(_ one: Entry) -> (Int, Int, Int) {
        (held[one.address, default: 0], held[one.account, default: 0], one.number)
    }

    private mutating func hold(_ one: Entry, _ number: Int) {
        for name in [one.address, one.account] {
            let left = held[name, default: 0] + number
            held[name] = left == 0 ? nil : left
        }
    }
}
