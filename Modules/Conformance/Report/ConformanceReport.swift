/// What became of one rule.
public enum ConformanceVerdict: String, Codable, Sendable, Hashable {
    /// The server did what the rule demands.
    case pass
    /// The server does something else.
    case fail
    /// The server differs in ways that are known, and that the engine copes with.
    case deviation
    /// The server can break the rule only where requests meet by chance, and nothing went wrong where these did: the
    /// run shows neither that the server keeps the rule nor that it breaks it.
    case notSeen = "not_seen"
    /// It could not be checked in this run.
    case notChecked = "not_checked"
}

/// What was found for one rule.
public struct ConformanceResult: Codable, Sendable {
    /// A known deviation that was met.
    public struct Deviation: Codable, Sendable {
        /// Which of the known ways it is.
        public var name: KnownDeviation
        /// What was seen.
        public var reason: String
    }

    /// The name by which the rule can be run again: `patch.null-clears`.
    public var rule: String
    /// What the rule is about.
    public var group: ConformanceRule.Group
    /// What the server must do, in one sentence.
    public var demand: String
    /// The part of the protocol that the rule comes from.
    public var section: ConformanceRule.Section
    /// How the rule ended; a failure outweighs deviations that were met beside it.
    public var verdict: ConformanceVerdict
    /// Why it fails, was not seen or was not checked; nil otherwise.
    public var reason: String?
    /// The known deviations that were met while the rule was checked, each once; also beside a failure.
    public var deviations: [Deviation]
    /// The requests and answers that show it, without passwords and tokens; of a rule that passes, the first hundred.
    public var exchanges: [ConformanceExchange]
}

/// What a run found.
public struct ConformanceReport: Codable, Sendable {
    /// Begins the names of the records of the run.
    public var marker: String
    /// One for each rule that was checked, in the order in which they ran.
    ///
    /// A run that ends early has none for the rules that were not reached.
    public var results: [ConformanceResult]
    /// Accounts that the run made, or asked for and got no answer; the protocol has no way to delete them.
    public var accountsMade: [String] = []
    /// Records that could not be deleted, as paths.
    public var leftBehind: [String] = []
    /// Whether the run was told to stop.
    public var wasInterrupted = false
    /// Why the run ended early: the server stopped answering.
    public var lostServer: String?

    /// How many rules ended so.
    public func count(_ verdict: ConformanceVerdict) -> Int { results.count { $0.verdict == verdict } }

    /// Every deviation that was met.
    public var deviations: Set<KnownDeviation> { Set(results.flatMap { $0.deviations.map(\.name) }) }

    /// How many of a hundred checked rules pass, deviations not counted as passed; 0 where none was checked. What was
    /// not seen does not count.
    public var score: Int {
        let checked = results.count - count(.notChecked) - count(.notSeen)
        return checked == 0 ? 0 : count(.pass) * 100 / checked
    }

    private enum CodingKeys: String, CodingKey {
        case marker, results
        case accountsMade = "accounts_made"
        case leftBehind = "left_behind"
        case wasInterrupted = "interrupted"
        case lostServer = "lost_server"
    }
}

/// What a run tells while it goes on.
public enum ConformanceNews: Sendable {
    /// A rule was checked.
    case checked(ConformanceResult)
    /// The server asked for a pause.
    case pausing(seconds: Double)
    /// What was made is being deleted.
    case cleaningUp
}
