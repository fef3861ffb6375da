import Foundation
import TrendyData
import TrendyDomain
import TrendyServer
import TrendySync
import TrendyTestSupport

/// Devices, a server, a network between them and people who use them; one seed decides everything.
///
/// Everything runs on the thread that drives the world: the engines' tasks run on ``SteppedExecutor``, to
/// quiescence, between any two decisions.
final class World {
    let seed: UInt64
    var plan: FaultPlan
    /// Whether the clocks of devices jump before the healing.
    let hasClockJumps: Bool
    let shares: StepShares
    let trace = Trace()
    let executor = SteppedExecutor()
    let network = SimulatedNetwork()
    /// What engines sleep on.
    let clock = ManualClock()
    let server: SimulatedServer
    let devices: [SimulatedDevice]
    let environment: DeviceEnvironment
    let checkers: [any PromiseChecker]
    let folder: URL

    /// What people did, in the order in which they did it.
    private(set) var acts: [Act] = []
    private(set) var violations: [Violation] = []
    /// The open mutations of each device, as they were when somebody looked last.
    var outboxes: [[Int64: PendingMutation]]
    /// The records that creations turned out to stand for.
    var twins: [MutationName: String] = [:]
    /// The same by the records' ids; the last one, where there were several.
    var standsFor: [[String: String]]
    /// The parents that edits do not name any more, because a person gave them up.
    var withdrawals: [Withdrawal] = []
    /// How many things people had done when what a mutation says left for the first time.
    private var firstDepartures: [MutationName: [String: Int]] = [:]
    private(set) var syncsBegun = 0
    /// The last answer that checkers have read.
    private var read: (body: Data, answer: SyncResponse?)?
    var serverIsDownUntil: Timestamp?
    /// Until when the server answers everything but health checks with 429.
    var serverIsBusyUntil: Timestamp?
    var signInIsOutUntil: Timestamp?
    /// Until when something between devices and the server refuses what goes on with an exchange.
    var exchangeIsMissingUntil: Timestamp?
    /// What lets only small requests and answers through.
    var narrowWay: NarrowWay?
    /// Ids that people made anew on purpose, after a deletion.
    var remade: Set<String> = []
    /// Records that were deleted on a device, and are to stay away from it.
    var deletedHere: [[String: EntityType]]
    /// Types that were deleted on a device, each with what went along, the last one at the end.
    var takenOut: [[TypeWithChildren]]
    /// Deletions that were taken back before they were sent.
    var takenBack: [TakenBack] = []
    /// Which devices follow the server, and what they were told.
    var following: FollowState
    /// Whether stores are copied, and what is lost by that.
    var copying: CopyState
    /// Whether the server's data was put back, or another copy of it has taken its place.
    var isPutBack = false
    /// True while a person's own write is under way.
    var isActing = false
    /// How many acts there were when people began to decide about what was left.
    var actsBeforeDecisions = Int.max
    /// Records to which people brought back what they had written once before.
    var rewritten: Set<String> = []
    /// Devices whose people have given something up.
    var droppers: Set<Int> = []
    /// The records of each device whose creates people have dropped.
    var unmade: [Int: Set<String>] = [:]
    /// Devices whose people have cleared the queue.
    var clearers: Set<Int> = []
    /// The records of each device of which a person has retried a change.
    var retried: [Int: Set<String>] = [:]
    /// Devices whose people passed over part of the feed.
    var skippers: Set<Int> = []
    /// The places in the feed of transactions that have begun, by their exchanges.
    var reserved: [Int: Int64] = [:]
    /// How many late entries the feed had when the faults were over and each device last began to sync.
    var lateEntriesSeen: [Int]
    /// How far each device's clock is from the truth, in milliseconds.
    var clockErrors: [Int64]

    init(
        seed: UInt64, profile: Profile, plan: FaultPlan, gateway: Gateway, follows: Bool, copies: Bool,
        bug: PlantedBug?
    ) throws {
        self.seed = seed
        self.plan = plan
        hasClockJumps = plan.has(.clockJumps)
        following = FollowState(isOn: follows)
        copying = CopyState(isOn: copies)
        shares = profile.shares
        var dice = Dice(seed: seed, stream: 1 << 40)
        folder = Self.temporaryFolder(seed)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try SimulatedServer(seed: seed, gateway: gateway, ways: plan.ways, kind: bug?.serverKind)
        server.misreads = bug?.misreads
        let address = try ServerAddress(parse: "http://server.example")
        let environment = DeviceEnvironment(
            executor: executor, network: network, clock: clock, address: address, bug: bug)
        let sizes = Sizes(&dice)
        self.environment = environment
        var devices: [SimulatedDevice] = []
        for index in 0..<profile.devices {
            let grant = try server.signIn()
            let credentials = Credentials(
                server: address, userId: grant.user.id, accessToken: Secret(grant.accessToken),
                refreshToken: Secret(grant.refreshToken), obtainedAt: server.clock.now())
            devices.append(
                try SimulatedDevice(
                    index: index, seed: seed, folder: folder, knowsMemos: dice.chance(0.5), credentials: credentials,
                    sizes: sizes, environment: environment))
        }
        self.devices = devices
        outboxes = devices.map { _ in [:] }
        standsFor = devices.map { _ in [:] }
        deletedHere = devices.map { _ in [:] }
        takenOut = devices.map { _ in [] }
        clockErrors = devices.map { _ in 0 }
        lateEntriesSeen = devices.map { _ in 0 }
        checkers = makeCheckers(devices: devices.count)
        let garbles = plan.has(.entryIsGarbled)
        server.garbles = { garbles && $0.chance(0.05) }
        let losesEntries = plan.ways.contains(.entriesAreLost)
        server.losesEntry = { losesEntries && $0.chance(0.05) }
        let losesDeletions = plan.ways.contains(.deletionsAreLost)
        server.losesDeletion = { losesDeletions && $0.chance(0.25) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func temporaryFolder(_ seed: UInt64) -> URL {
        // Memory where there is such a folder: what is tested is order, not the disk.
        let shared = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let isThere = FileManager.default.isWritableFile(atPath: shared.path)
        return (isThere ? shared : FileManager.default.temporaryDirectory)
            .appending(path: "trendy-sim-\(ProcessInfo.processInfo.processIdentifier)-\(seed)-\(UUID().uuidString)")
    }

    // MARK: Telling

    func report(_ promise: Promise, _ message: String) {
        let violation = Violation(promise: promise, message: message)
        // One mistake can show itself at every step from there on.
        if violations.contains(violation) || violations.count >= 8 { return }
        trace.note("VIOLATION \(violation)")
        violations.append(violation)
    }

    /// Asks the checkers; one that cannot look at the store has found something too. They judge one history of the
    /// server: where its data was put back, ``LostHistoryChecker`` is asked alone.
    func check(_ look: (any PromiseChecker) throws -> Void) {
        if isPutBack { return }
        for checker in checkers where !copying.isReplaced || !checker.followsStores {
            do { try look(checker) } catch {
                if error as? StoreError == MortalStores.dead { continue }
                report(checker.promise, "the check failed: \(error)")
            }
        }
    }

    // MARK: Running

    /// Lets every task run until all wait, and sees to what has come of it.
    func settle() {
        if !executor.runUntilIdle() { report(.cancellable, "the engines never come to rest") }
        buryTheDead()
        for exchange in network.takeDeparted() { depart(exchange) }
        for device in devices {
            device.noteTouches()
            if device.unseen != nil { look(at: device) }
            collectSyncs(of: device)
        }
        if serveFollowers() { settle() }
    }

    /// The store of a device as it is now.
    func view(of device: SimulatedDevice) throws -> DeviceView { try DeviceView(device, server.gateway) }

    /// What an answer of the exchange says; nil where it cannot be read.
    func answer(_ response: TransportResponse) -> SyncResponse? {
        if let read, read.body == response.body { return read.answer }
        let answer = try? SyncResponse(parsing: response.body)
        read = (response.body, answer)
        return answer
    }

    // MARK: Departures

    private func depart(_ exchange: Exchange) {
        var exchange = exchange
        exchange.departedAt = server.clock.now()
        exchange.sent = SentChange.all(in: exchange.request)
        do { try nameMutations(of: &exchange) } catch { report(.durable, "the outbox cannot be read: \(error)") }
        let departed = exchange
        network.update(exchange.id) { $0 = departed }
        trace.note("  \(exchange.sender) → #\(exchange.id) \(exchange.summary)")
        check { try $0.departed(departed, in: self) }
    }

    /// Finds the mutations that a request carries.
    private func nameMutations(of exchange: inout Exchange) throws {
        if exchange.sent.isEmpty { return }
        let device = devices[exchange.sender.device]
        let open = try view(of: device).openByRecord
        for index in exchange.sent.indices {
            let sent = exchange.sent[index]
            let own = open[sent.id] ?? []
            let mutation =
                own.first { $0.clientRequestId == sent.key } ?? own.first { $0.state == .sending }
                // Somebody may have cleared the queue while a request of the first API waited for its turn.
                ?? own.first { $0.operation == sent.operation && $0.state.name == .parked }
            exchange.sent[index].mutation = mutation?.id
            exchange.sent[index].actsBefore = acts.count
            guard let mutation else { continue }
            // What is sent once more says what it said the first time, and nothing of what was done since.
            let name = MutationName(device: device.index, id: mutation.id)
            let content = "\(sent.key ?? "") \(sent.operation) \(Trace.digest(mutation.payload ?? Data()))"
            let first = firstDepartures[name]?[content] ?? acts.count
            firstDepartures[name, default: [:]][content] = first
            exchange.sent[index].actsBefore = first
        }
    }

    /// A mutation can be changed again.
    func forgetDepartures(of mutation: MutationName) { firstDepartures[mutation] = nil }

    private func look(at device: SimulatedDevice) {
        do {
            let view = try DeviceView(device, server.gateway, isBrief: true)
            device.unseen = nil
            try follow(device, view)
            check { try $0.committed(view, device, in: self) }
        } catch {
            report(.durable, "the store of device \(device.index) cannot be read: \(error)")
        }
    }

    private func buryTheDead() {
        for device in devices {
            for process in device.processes where !process.isAlive {
                guard environment.living.contains(process.incarnation) else { continue }
                trace.note("  \(process.name) is dead")
                environment.living.remove(process.incarnation)
                check { try $0.died(process, in: self) }
                for exchange in network.exchanges where exchange.sender == process.name && !exchange.isAbandoned {
                    network.fail(exchange.id, .connection("the process is dead"), stays: true)
                }
                for sync in process.syncs { sync.task.cancel() }
                process.syncs = []
                process.follower = nil
                network.streams.end(process.name, .connection("the process is dead"))
                _ = executor.runUntilIdle()
            }
        }
    }

    private func collectSyncs(of device: SimulatedDevice) {
        for process in device.processes {
            for sync in process.syncs {
                guard case .success(let report)? = sync.result.value else { continue }
                process.syncs.removeAll { $0 === sync }
                trace.note(
                    "  \(process.name) sync \(sync.number) ended: \(report.failure?.rawValue ?? "well"), "
                        + "\(report.pushed) sent, \(report.pulled) received, \(report.pending) wait, "
                        + "\(report.parked) parked, cursor \(report.cursor)")
                check { try $0.ended(sync, report, of: process, in: self) }
            }
        }
    }

    // MARK: Syncs

    /// Begins a sync; it goes on step by step.
    @discardableResult
    func startSync(_ process: DeviceProcess, full: Bool = false) -> RunningSync {
        syncsBegun += 1
        let engine = process.engine
        let queued = (try? mutationsThatCanGo(from: process)) ?? []
        let (task, result) = executor.start {
            full ? await engine.forceFullResync() : await engine.performSync()
        }
        let sync = RunningSync(
            number: syncsBegun, task: task, result: result, queued: queued)
        process.syncs.append(sync)
        trace.note("\(process.name) sync \(sync.number) begins\(full ? ", full" : "")")
        settle()
        return sync
    }

    /// What is queued, and waits for nothing that waits for a person: what a sync frees can go with the next one.
    private func mutationsThatCanGo(from process: DeviceProcess) throws -> Set<Int64> {
        let device = devices[process.name.device]
        // What the server refuses for the time in its id waits for that time.
        let (clock, now) = (try process.engine.serverClock(), device.clock.now())
        let open = try view(of: device).open.filter { clock.waitEnd(of: $0, at: now) == nil }
        let parked = Set(open.filter { $0.state.name == .parked }.map(\.entityId))
        return Set(open.filter { $0.state == .queued && !parked.contains($0.entityId) }.map(\.id))
    }

    /// A process of the device that lives.
    func livingProcess(_ device: SimulatedDevice, _ dice: inout Dice) -> DeviceProcess {
        let number = dice.chance(0.8) ? 0 : 1
        if !device.processes[number].isAlive { device.restart(number) }
        return device.processes[number]
    }

    // MARK: Time

    func pass(milliseconds: Int64) {
        server.clock.advance(byMilliseconds: milliseconds)
        for device in devices { device.clock.advance(byMilliseconds: milliseconds) }
        clock.advance(by: .milliseconds(milliseconds))
        settle()
        giveUpWaiting()
    }

    /// Clients wait no longer for the answer to what left before this moment. A lease lasts longer than that.
    var patienceEnd: Timestamp { server.clock.now().advanced(byMilliseconds: -30_000) }

    private func giveUpWaiting() {
        let end = patienceEnd
        for exchange in network.exchanges where !exchange.isAbandoned && exchange.departedAt < end {
            trace.note("#\(exchange.id) is given up")
            let travelsOn =
                exchange.isWrite && plan.has(.requestArrivesLate) && !plan.ways.contains(.deletionsHaveNoKeys)
            fail(exchange, .timeout, stays: travelsOn)
            if !travelsOn { reserved[exchange.id] = nil }
            settle()
        }
        // What has not arrived a minute later has got lost: an engine may count on that (`BatchSender`).
        let lost = end.advanced(byMilliseconds: -60_000)
        for exchange in network.exchanges where exchange.isAbandoned && exchange.departedAt < lost {
            network.remove(exchange.id)
            reserved[exchange.id] = nil
        }
    }

    /// Tells a process that its request has failed.
    func fail(_ exchange: Exchange, _ error: APIError, stays: Bool) {
        if !exchange.isAbandoned { check { try $0.lost(exchange, error, in: self) } }
        network.fail(exchange.id, error, stays: stays)
    }

    // MARK: Acts

    func add(_ act: Act) { acts.append(act) }
}
