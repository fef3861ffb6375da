import TrendyData
import TrendyDomain

/// Promise 13, by every single answer: 401 leaves attempts and states as they are.
final class SignedOutQueueChecker: PromiseChecker {
    let promise = Promise.signedOut
    /// What was open on a device before an answer that says that nobody is signed in, until it says something else.
    private var before: [Int: [Int64: PendingMutation]] = [:]
    /// Devices that have sent nothing since: a lost connection counts as an attempt, and comes with no answer.
    private var silent: Set<Int> = []
    /// Processes that have been told something else since their last commit, with the records that it was about: an
    /// exchange by the first API has many answers.
    private var told: [ProcessName: Set<String>] = [:]

    func departed(_ exchange: Exchange, in world: World) throws { silent.remove(exchange.sender.device) }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let device = exchange.sender.device
        before[device] = nil
        guard response.status == 401 else {
            told[exchange.sender, default: []].formUnion(exchange.sent.map(\.id))
            return
        }
        let open = try world.view(of: world.devices[device]).open
        before[device] = Dictionary(open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let others = world.network.exchanges.filter { $0.sender.device == device && $0.id != exchange.id }
        if others.isEmpty && !told.keys.contains(where: { $0.device == device }) { silent.insert(device) }
    }

    /// By the first API the same exchange goes on after a request without an answer, and saves what became of that at its end.
    func lost(_ exchange: Exchange, _ error: APIError, in world: World) throws {
        guard world.server.gateway == .rest else { return }
        told[exchange.sender, default: []].formUnion(exchange.sent.map(\.id))
    }

    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {
        told[process.name] = nil
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        // The older routes have many requests in one exchange, and what became of all of them is saved at its end.
        if !world.isActing, world.server.gateway == .exact { told = told.filter { $0.key.device != device.index } }
        guard let known = before[device.index] else { return }
        if world.isActing {
            before[device.index] = nil
            return
        }
        let now = Dictionary(view.open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for (id, mutation) in known.sorted(by: { $0.key < $1.key }) {
            let counts = silent.contains(device.index) && now[id]?.attempts ?? 0 > mutation.attempts
            let parks = isParked(now[id], device.index, world) && mutation.state.name != .parked
            guard counts || parks else { continue }
            world.report(
                promise,
                "mutation \(id) of device \(device.index) \(parks ? "was parked" : "counts an attempt") "
                    + "because nobody was signed in: \(now[id].map { "\($0.state)" } ?? "")")
        }
        // What has been explained by another answer is not asked about again, when that answer is forgotten.
        before[device.index] = now
    }

    /// Whether a mutation is parked, and no other answer can be the reason.
    private func isParked(_ mutation: PendingMutation?, _ device: Int, _ world: World) -> Bool {
        guard let mutation, case .parked(let reason) = mutation.state else { return false }
        // By the first API the same exchange was told before of another record for which it waits, or of a deletion.
        if world.server.gateway == .rest, [.blocked, .waiting, .deletedElsewhere].contains(reason.code) {
            return false
        }
        return !told.contains { $0.key.device == device && $0.value.contains(mutation.entityId) }
    }
}
