import TrendyData
import TrendyDomain

/// Promise 13, by every single answer: 401 leaves attempts and states as they are.
final class SignedOutQueueChecker: PromiseChecker {
    let promise = Promise.signedOut
    /// What was open on a device before an answer that says that nobody is signed in, until it says something else.
    private var before: [Int: [Int64: PendingMutation]] = [:]
    /// Devices that have sent nothing since: a lost connection counts as an attempt, and comes with no answer.
    private var silent: Set<Int> = []
    /// Devices that have been told something else since their last commit: an exchange by the first API has many answers.
    private var isTold: Set<Int> = []

    func departed(_ exchange: Exchange, in world: World) throws { silent.remove(exchange.sender.device) }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let device = exchange.sender.device
        before[device] = nil
        guard response.status == 401 else {
            isTold.insert(device)
            return
        }
        if isTold.contains(device) { return }
        let open = try world.view(of: world.devices[device]).open
        before[device] = Dictionary(open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        let others = world.network.exchanges.filter { $0.sender.device == device && $0.id != exchange.id }
        if others.isEmpty { silent.insert(device) }
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        if !world.isActing { isTold.remove(device.index) }
        guard let known = before[device.index] else { return }
        if world.isActing {
            before[device.index] = nil
            return
        }
        let now = Dictionary(view.open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for (id, mutation) in known.sorted(by: { $0.key < $1.key }) {
            let counts = silent.contains(device.index) && now[id]?.attempts ?? 0 > mutation.attempts
            let parks = now[id]?.state.name == .parked && mutation.state.name != .parked
            guard counts || parks else { continue }
            world.report(
                promise,
                "mutation \(id) of device \(device.index) \(parks ? "was parked" : "counts an attempt") "
                    + "because nobody was signed in")
        }
    }
}
