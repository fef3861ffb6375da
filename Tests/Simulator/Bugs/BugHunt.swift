/// Looks for a history that a planted bug makes fail.
public struct BugHunt: Sendable {
    /// What found a bug.
    public struct Finding: Sendable {
        /// The seed of the history that breaks a promise with the bug, and none without it.
        public var seed: UInt64
        /// What was broken.
        public var violations: [Violation]

        /// The promises that were broken.
        public var promises: Set<Promise> { Set(violations.map(\.promise)) }
    }

    /// How much happens in the histories by which bugs are found.
    public static let profile = Profile(devices: 3, steps: 200)

    private let bug: PlantedBug
    private let limit: Int

    /// The histories that find a bug.
    ///
    /// - Parameter isPlanted: Whether the bug is there. Without it the same histories are sound.
    public static func request(_ bug: PlantedBug, isPlanted: Bool = true) -> HistoryRequest {
        HistoryRequest(
            gateway: bug.gateway, profile: bug.isRare ? nil : profile, follows: bug.follows, copies: bug.copies,
            bug: isPlanted ? bug : nil)
    }

    /// - Parameter limit: How many histories to try at most.
    public init(_ bug: PlantedBug, limit: Int = 2_000) {
        self.bug = bug
        self.limit = limit
    }

    /// The first seed that breaks the bug's own promise; nil where none does within the limit.
    public func run() -> Finding? {
        for seed in 1...UInt64(max(1, limit)) {
            let plan = Simulation.plan(of: seed, bug.gateway)
            guard bug.needs.allSatisfy({ plan.has($0) }) else { continue }
            if let finding = finding(seed) { return finding }
        }
        return nil
    }

    /// What a seed finds: violations of the bug's promise that the same history does not have without the bug.
    public func finding(_ seed: UInt64) -> Finding? {
        let history = Self.request(bug).run(seed)
        guard history.violations.contains(where: bug.isNamed),
            Self.request(bug, isPlanted: false).run(seed).violations.isEmpty
        else { return nil }
        return Finding(seed: seed, violations: history.violations)
    }
}

/// A planted bug and what found it, as a line of a table.
public struct BugTableRow: Sendable, CustomStringConvertible {
    private let bug: PlantedBug
    private let finding: BugHunt.Finding?

    public init(_ bug: PlantedBug, _ finding: BugHunt.Finding?) {
        self.bug = bug
        self.finding = finding
    }

    /// The head of the table.
    public static let head = row("bug", "promise", "seeds", "named by")

    public var description: String {
        guard let finding else { return Self.row(bug.name, "\(bug.promise)", "–", "nobody") }
        let names = finding.promises.sorted().map { "\($0.rawValue) \($0)" }.joined(separator: ", ")
        return Self.row(bug.name, "\(bug.promise)", "\(finding.seed)", names)
    }

    private static func row(_ bug: String, _ promise: String, _ seeds: String, _ names: String) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        return "\(padded(bug, 42))\(padded(promise, 18))\(padded(seeds, 7))\(names)"
    }
}
