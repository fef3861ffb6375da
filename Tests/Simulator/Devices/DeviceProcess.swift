import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// One process of Trendy on a device: an engine of its own over the device's store.
final class DeviceProcess {
    let name: ProcessName
    /// Differs for every start of the process, as the number of a process does.
    let incarnation: String
    let stores: MortalStores
    let engine: SyncEngine
    var syncs: [RunningSync] = []
    /// Follows the server; nil where only people sync.
    var follower: Follower?

    init(_ device: SimulatedDevice, number: Int, incarnation: Int, _ environment: DeviceEnvironment) {
        name = ProcessName(device: device.index, process: number)
        let incarnation = "\(device.index).\(number).\(incarnation)"
        self.incarnation = incarnation
        let tampering = environment.bug?.plant?(PlantingSite(clock: device.clock, executor: environment.executor))
        stores = MortalStores(device.stores, tampering: tampering?.store, touches: device.touches)
        var routes = RouteTable.trendy
        routes.records[.event]?.paging = .offset(limit: device.sizes.listPage)
        routes.records[.event]?.batch?.limit = device.sizes.batch
        if device.knowsMemos { routes.records[Memo.entityType] = Memo.clientRoutes }
        let transport = SimulatedTransport(
            network: environment.network, sender: name, isAlive: { [stores] in !stores.isDead },
            tampering: tampering?.transport)
        let client = APIClient(
            server: environment.address, credentials: device.credentials, routes: routes, transport: transport,
            clock: device.clock, executor: environment.executor)
        let living = environment.living
        var configuration = device.sizes.configuration
        environment.bug?.configure?(&configuration)
        let owner = LeaseOwner(name: incarnation) { living.contains($0) }
        engine = SyncEngine(
            networkClient: client, dataStoreFactory: stores, schema: device.schema, configuration: configuration,
            wallClock: device.clock, clock: environment.clock, identifiers: device.identifiers,
            owner: tampering?.owner?(owner) ?? owner,
            random: SeededRandomSource(seed: UInt64(device.index)))
        living.insert(incarnation)
    }

    var isAlive: Bool { !stores.isDead }
    var isSyncing: Bool { !syncs.isEmpty }
}

/// A sync that a process has begun.
final class RunningSync {
    let number: Int
    let task: Task<Void, Never>
    let result: Pending<SyncReport>
    /// What was queued when it was asked for, and has been ever since.
    var queued: Set<Int64>
    var isCancelled = false

    init(number: Int, task: Task<Void, Never>, result: Pending<SyncReport>, queued: Set<Int64>) {
        self.number = number
        self.task = task
        self.result = result
        self.queued = queued
    }
}
