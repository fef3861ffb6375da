/// How much happens in a history.
public struct Profile: Sendable, Equatable {
    public var devices: Int
    public var steps: Int

    /// About 150 actions and 30 syncs, by three devices.
    public static let full = Profile(devices: 3, steps: 900)

    public init(devices: Int, steps: Int) {
        self.devices = devices
        self.steps = steps
    }

    /// The profile of a seed: mostly short histories, of which many can be run, and some long ones.
    init(_ dice: inout Dice) {
        devices = dice.within(2...3)
        steps = dice.pick([120, 200, 300, 450, 1000]) ?? 300
    }
}
