import Synchronization
import TrendyData
import TrendyDomain
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
    /// How many records a page of a listing has.
    var listPage = 200
    /// How many records a batch creates.
    var batch = 50

    init(_ dice: inout Dice) {
        self.init()
        configuration.changesPerPage = dice.pick([1, 2, 3, 5, 10, 50, 500]) ?? 10
        listPage = dice.within(2...7)
        batch = dice.within(2...8)
        configuration.mutationsPerRequest = dice.pick([1, 2, 3, 5, SyncRequest.mutationLimit]) ?? 1
    }

    private init() {
        // So few, so that histories get that far, and people need not wait long for it when they decide.
        configuration.blameLimit = 3
        configuration.leasePollInterval = .seconds(5)
        configuration.historyLimit = 5
    }

    /// Numbers as in daily use, but for ``SyncConfiguration/blameLimit``, for when the faults are over: what is looked
    /// for then is what came of them.
    static var roomy: Sizes { Sizes() }
}
