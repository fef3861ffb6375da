import TrendyDomain

/// One history: what it was made from, and what came of it.
public struct History: Sendable {
    public var seed: UInt64
    public var gateway: Gateway
    public var violations: [Violation]
    /// What happened, line by line.
    public var trace: [String]
    public var acts: Int
    public var syncs: Int

    /// A short name for the trace.
    public var digest: String { Trace.digest(trace.joined(separator: "\n").utf8) }
}

/// Runs histories.
public enum Simulation {
    /// Runs the history of a seed.
    ///
    /// - Parameters:
    ///   - profile: How much happens; nil for what the seed says.
    ///   - plan: What goes wrong; nil for what the seed says.
    ///   - steps: The steps that happen; nil for all. Leaving out steps changes nothing in the others.
    ///   - follows: Whether devices follow the server, beside the syncs that people ask for.
    ///   - copies: Whether stores are copied and rolled back.
    ///   - bug: A mistake to plant.
    public static func run(
        seed: UInt64, gateway: Gateway = .exact, profile: Profile? = nil, plan: FaultPlan? = nil, steps: [Int]? = nil,
        follows: Bool = false, copies: Bool = false, bug: PlantedBug? = nil
    ) -> History {
        var dice = Dice(seed: seed, stream: 1 << 42)
        let drawnProfile = Profile(&dice)
        let drawnPlan = FaultPlan(&dice, gateway)
        let profile = profile ?? drawnProfile
        do {
            let world = try World(
                seed: seed, profile: profile, plan: plan ?? drawnPlan, gateway: gateway, follows: follows,
                copies: copies, bug: bug)
            try world.live(steps ?? Array(1...profile.steps))
            return History(
                seed: seed, gateway: gateway, violations: world.violations, trace: world.trace.lines,
                acts: world.acts.count, syncs: world.syncsBegun)
        } catch {
            let violation = Violation(promise: .convergence, message: "the simulation failed: \(error)")
            return History(seed: seed, gateway: gateway, violations: [violation], trace: [], acts: 0, syncs: 0)
        }
    }

    /// The plan of a seed.
    public static func plan(of seed: UInt64, _ gateway: Gateway = .exact) -> FaultPlan {
        var dice = Dice(seed: seed, stream: 1 << 42)
        _ = Profile(&dice)
        return FaultPlan(&dice, gateway)
    }

    /// The profile of a seed.
    public static func profile(of seed: UInt64) -> Profile {
        var dice = Dice(seed: seed, stream: 1 << 42)
        return Profile(&dice)
    }
}

extension World {
    /// The steps, then health, then people's decisions, then quiet.
    func live(_ steps: [Int]) throws {
        for number in steps {
            try step(number)
            if !violations.isEmpty { return }
        }
        var dice = Dice(seed: seed, stream: 1 << 43)
        try heal()
        try followUntilQuiet(&dice)
        try syncUntilQuiet(&dice)
        try repairFirstDevice(&dice)
        try compareListings(&dice)
        check { try $0.healed(self) }
        if !violations.isEmpty { return }
        try decide(&dice)
        try demandQuiet(&dice)
        check { try $0.settled(self) }
        if violations.isEmpty, server.gateway == .exact, dice.chance(0.3) { try putServerBack(&dice) }
    }
}
