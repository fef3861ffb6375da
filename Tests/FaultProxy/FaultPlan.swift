/// Which requests meet which faults: data, so that the same plan does the same again.
public struct FaultPlan: Sendable {
    /// Which requests a rule is about.
    public struct Match: Sendable, Hashable {
        /// Nil for every method.
        public var method: String?
        /// What the path begins with, or is where it ends in `$`.
        public var path: String
        /// The token that the request carries; nil for any, and for none.
        public var token: String?

        /// Describes requests.
        public init(_ method: String? = nil, _ path: String = "/", token: String? = nil) {
            self.method = method
            self.path = path
            self.token = token
        }

        /// Whether a request is one of them.
        public func covers(_ method: String, _ path: String, token: String? = nil) -> Bool {
            if let wanted = self.method, wanted != method { return false }
            if let wanted = self.token, wanted != token { return false }
            return self.path.hasSuffix("$") ? path == self.path.dropLast() : path.hasPrefix(self.path)
        }
    }

    /// Which of the requests that match a rule meet its fault.
    public enum Occurrence: Sendable, Hashable {
        case always
        /// The one with this number; the first is 1.
        case only(Int)
        /// So many from the first on.
        case first(Int)
        /// Those after so many.
        case after(Int)
        /// Each with this probability, drawn from the plan's seed.
        case chance(Double)
    }

    /// One line of a plan.
    public struct Rule: Sendable {
        public var match: Match
        public var occurrence: Occurrence
        public var fault: Fault

        /// Puts a line together.
        public init(_ match: Match, _ occurrence: Occurrence, _ fault: Fault) {
            self.match = match
            self.occurrence = occurrence
            self.fault = fault
        }
    }

    /// The first rule that applies to a request decides about it.
    public var rules: [Rule]
    /// Decides what is left to chance.
    public var seed: UInt64

    /// Makes a plan of rules.
    public init(_ rules: [Rule] = [], seed: UInt64 = 1) {
        self.rules = rules
        self.seed = seed
    }

    /// Makes a plan of one rule.
    public init(
        _ fault: Fault, _ method: String? = nil, _ path: String = "/", _ occurrence: Occurrence = .always,
        seed: UInt64 = 1
    ) {
        self.init([Rule(Match(method, path), occurrence, fault)], seed: seed)
    }
}

/// A plan at work: counts the requests and draws the chances.
struct FaultPlanRun {
    let plan: FaultPlan
    private var counts: [Int]
    private var random: SplitMix64

    init(_ plan: FaultPlan) {
        self.plan = plan
        counts = plan.rules.map { _ in 0 }
        random = SplitMix64(seed: plan.seed)
    }

    /// What happens to the next request.
    mutating func fault(for method: String, _ path: String, token: String?) -> Fault? {
        for (index, rule) in plan.rules.enumerated() where rule.match.covers(method, path, token: token) {
            counts[index] += 1
            if applies(rule.occurrence, counts[index]) { return rule.fault }
        }
        return nil
    }

    private mutating func applies(_ occurrence: FaultPlan.Occurrence, _ count: Int) -> Bool {
        switch occurrence {
        case .always: true
        case .only(let number): count == number
        case .first(let number): count <= number
        case .after(let number): count > number
        case .chance(let probability): Double.random(in: 0..<1, using: &random) < probability
        }
    }
}

/// A small random generator whose sequence a seed decides.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
