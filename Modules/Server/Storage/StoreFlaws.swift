/// What is wrong with a server's database, a sentence each.
public struct StoreFlaws: Sendable, Hashable {
    /// What makes the data doubtful.
    public var damage: [String]
    /// What is left of accounts that were deleted. It does no harm, and a pruning removes it.
    public var remains: [String]

    /// Makes the findings of a check; none unless they are given.
    public init(damage: [String] = [], remains: [String] = []) { (self.damage, self.remains) = (damage, remains) }

    /// Adds rows that belong to nobody.
    ///
    /// - Parameter count: Counts the rows that a part of a statement selects.
    mutating func add(_ strays: [Strays], _ count: (String) throws -> Int64) rethrows {
        for stray in strays {
            let number = try count(stray.condition)
            if number == 0 { continue }
            let sentence = "\(number) \(stray.what) belong to no account"
            if stray.areRemains { remains.append(sentence) } else { damage.append(sentence) }
        }
    }

    /// Rows that name what is not there.
    struct Strays {
        var what: String
        /// The table and the condition.
        var condition: String
        var areRemains = false

        init(_ what: String, _ condition: String, areRemains: Bool = false) {
            (self.what, self.condition, self.areRemains) = (what, condition, areRemains)
        }

        /// The sign-ins and tokens of accounts that are not there.
        static let ofAccounts = [
            Strays("sign-ins", "session WHERE user_id NOT IN (SELECT id FROM account)", areRemains: true),
            Strays("tokens", "token WHERE session_id NOT IN (SELECT id FROM session)", areRemains: true),
        ]
    }
}
