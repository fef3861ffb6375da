/// How much happens in a history.
public struct Profile: Sendable, Equatable {
    public var devices: Int
    public var steps: Int
    /// How often each kind of step is taken, beside the others.
    var shares = StepShares.usual

    /// About 150 actions and 34 syncs by three devices; half of the syncs under faults, the others after healing.
    public static let full = Profile(devices: 3, steps: 750, shares: .full)

    public init(devices: Int, steps: Int) {
        self.devices = devices
        self.steps = steps
    }

    private init(devices: Int, steps: Int, shares: StepShares) {
        self.init(devices: devices, steps: steps)
        self.shares = shares
    }

    /// The profile of a seed: mostly short histories, of which many can be run, and some long ones.
    init(_ dice: inout Dice) {
        devices = dice.within(2...3)
        steps = dice.pick([120, 200, 300, 450, 1000]) ?? 300
    }
}

/// How often each kind of step is taken, beside the others.
struct StepShares: Equatable {
    var network: Int
    var act: Int
    var sync: Int
    var time: Int
    var fault: Int

    static let usual = StepShares(network: 62, act: 15, sync: 3, time: 12, fault: 8)
    /// People do more between two syncs.
    static let full = StepShares(network: 59, act: 19, sync: 2, time: 12, fault: 8)
}
