/// Which faults a history has, and how often: data, so that a failing history can be tried with fewer of them.
public struct FaultPlan: Codable, Sendable, Equatable {
    /// The faults that happen, each with its weight among them.
    public var weights: [Fault: Int]
    /// How likely a request or an answer meets a fault.
    public var transitRate: Double
    /// How the server differs from ours.
    public var ways: Set<ServerWay>

    public init(weights: [Fault: Int] = [:], transitRate: Double = 0, ways: Set<ServerWay> = []) {
        self.weights = weights
        self.transitRate = transitRate
        self.ways = ways
    }

    /// Nothing goes wrong.
    public static let none = FaultPlan()

    /// Every fault that there is.
    public static let everything = FaultPlan(
        weights: Dictionary(Fault.allCases.map { ($0, 1) }, uniquingKeysWith: { $1 }), transitRate: 0.08)

    /// The plan of a seed: a part of all faults, so that some histories have much of one thing. A server that has the
    /// exchange is ours, and has no ways of its own.
    init(_ dice: inout Dice, _ gateway: Gateway) {
        weights = [:]
        for fault in Fault.allCases where !Fault.drawnLast.contains(fault) && dice.chance(0.45) {
            weights[fault] = dice.within(1...4)
        }
        transitRate = [0, 0.02, 0.06, 0.15][dice.below(4)]
        ways = []
        if dice.chance(0.35) {
            for way in ServerWay.allCases where dice.chance(0.4) { ways.insert(way) }
        }
        if gateway == .exact { ways = [] }
        for fault in Fault.drawnLast where dice.chance(0.45) { weights[fault] = dice.within(1...4) }
    }

    /// The plan without some faults.
    func without(_ faults: Set<Fault>) -> FaultPlan {
        var plan = self
        for fault in faults { plan.weights[fault] = nil }
        return plan
    }

    /// How many of the writes commit late.
    var slowCommitRate: Double { 0.08 * Double(weights[.slowCommit] ?? 0) }

    func has(_ fault: Fault) -> Bool { weights[fault] != nil }

    /// One of these faults, by their weights; nil where the plan has none of them.
    func pick(_ faults: [Fault], _ dice: inout Dice) -> Fault? {
        dice.weighted(faults.compactMap { fault in weights[fault].map { (fault, $0) } })
    }
}
