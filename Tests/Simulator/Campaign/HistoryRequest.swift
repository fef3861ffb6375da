/// What distinguishes a history from the one that its seed alone gives.
public struct HistoryRequest: Sendable {
    /// By which way the devices speak with the server.
    public var gateway: Gateway
    /// How much happens; nil for what the seed says.
    public var profile: Profile?
    /// Faults that do not happen.
    public var without: Set<Fault>
    /// The steps that happen; nil for all.
    public var steps: [Int]?
    /// Whether devices follow the server.
    public var follows: Bool
    /// Whether stores are copied and rolled back.
    public var copies: Bool
    /// A mistake to plant.
    public var bug: PlantedBug?

    public init(
        gateway: Gateway = .exact, profile: Profile? = nil, without: Set<Fault> = [], steps: [Int]? = nil,
        follows: Bool = false, copies: Bool = false, bug: PlantedBug? = nil
    ) {
        self.gateway = gateway
        self.profile = profile
        self.without = without
        self.steps = steps
        self.follows = follows
        self.copies = copies
        self.bug = bug
    }

    /// Runs the history of a seed.
    public func run(_ seed: UInt64) -> History {
        Simulation.run(
            seed: seed, gateway: gateway, profile: profile, plan: Simulation.plan(of: seed, gateway).without(without),
            steps: steps, follows: follows, copies: copies, bug: bug)
    }

    /// The command that runs it again.
    func command(_ seed: UInt64) -> String {
        var words = ["make sim SEEDS=1 FROM=\(seed)"]
        if gateway != .exact { words.append("GATEWAY=\(gateway.rawValue)") }
        if follows { words.append("FOLLOW=1") }
        if copies { words.append("COPIES=1") }
        if profile == .full { words.append("FULL=1") }
        if let steps { words.append("STEPS=\(StepList(steps))") }
        if !without.isEmpty { words.append("WITHOUT=\(without.map(\.rawValue).sorted().joined(separator: ","))") }
        if let bug { words.append("SIMFLAGS='--bug \"\(bug.name)\"'") }
        return words.joined(separator: " ")
    }
}
