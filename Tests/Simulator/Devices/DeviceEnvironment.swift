import Synchronization
import TrendyData
import TrendySync
import TrendyTestSupport

/// What all devices of a world share.
struct DeviceEnvironment {
    let executor: SteppedExecutor
    let network: SimulatedNetwork
    let clock: ManualClock
    let address: ServerAddress
    let bug: PlantedBug?
    let living = LivingProcesses()
}

/// The processes that live, by the names that they give themselves in leases.
final class LivingProcesses: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ name: String) { names.withLock { _ = $0.insert(name) } }
    func remove(_ name: String) { names.withLock { _ = $0.remove(name) } }
    func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}

/// The numbers by which engines work in one history: small, so that their limits are met often.
struct Sizes {
    var configuration = SyncConfiguration()
    var listPage: Int

    /// So few, so that histories get that far, and people need not wait long for it when they decide.
    private static let blameLimit = 3

    init(_ dice: inout Dice) {
        configuration.blameLimit = Self.blameLimit
        configuration.batchSize = dice.within(2...8)
        configuration.windowSize = configuration.batchSize + dice.below(6)
        configuration.changesPerPage = dice.pick([2, 3, 5, 10, 50, 500]) ?? 10
        configuration.concurrentBatches = dice.within(1...3)
        configuration.leasePollInterval = .seconds(5)
        configuration.historyLimit = 5
        listPage = dice.within(2...7)
    }

    private init(listPage: Int) { self.listPage = listPage }

    /// Numbers as in daily use, but for ``blameLimit``, for when the faults are over: what is looked for then is what
    /// came of them.
    static var roomy: Sizes {
        var sizes = Sizes(listPage: 200)
        sizes.configuration.blameLimit = blameLimit
        sizes.configuration.leasePollInterval = .seconds(5)
        sizes.configuration.historyLimit = 5
        return sizes
    }
}
