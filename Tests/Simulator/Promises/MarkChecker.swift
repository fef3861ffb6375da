import TrendyData
import TrendyDomain

/// Promise 3, what follows from it for the ledger: when a sync has ended, a change says that it may have reached the
/// server only if a request with it has left, and neither the network nor the server has said that it had no effect.
final class MarkChecker: PromiseChecker {
    let promise = Promise.nothingVanishes
    /// The records of each device of which something may have arrived, with the requests that carried it.
    private var carried: [Int: [String: Set<Int>]] = [:]
    /// By device, the records with a mutation that a process left marked when it died, or when its sync was cancelled. Nobody
    /// knows whether it had left. What takes the place of such a create is marked too.
    private var doubtful: [Int: Set<String>] = [:]
    /// Which incarnations have had the lease of each device since a sync has ended there.
    private var owners: [Int: Set<String>] = [:]

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        if let owner = try device.leaseOwner() { owners[device.index, default: []].insert(owner) }
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        for change in exchange.sent {
            carried[exchange.sender.device, default: [:]][change.id, default: []].insert(exchange.id)
        }
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        if response.status == 302 { return forget(exchange) }
        // A page is of something between them, which may hide the server's answer.
        let isRefused =
            (400..<500).contains(response.status) && ![408, 425].contains(response.status)
            && response.header("Content-Type") != "text/html"
        // By the older routes a refusal of one change has reasons of its own.
        if isRefused && (exchange.isSync || [401, 429].contains(response.status)) { forget(exchange) }
    }

    func lost(_ exchange: Exchange, _ error: APIError, in world: World) throws {
        if error.provesNoEffect { forget(exchange) }
    }

    private func forget(_ exchange: Exchange) {
        for change in exchange.sent { carried[exchange.sender.device]?[change.id]?.remove(exchange.id) }
    }

    func died(_ process: DeviceProcess, in world: World) throws {
        try excuse(world.devices[process.name.device], world)
    }

    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {
        let device = world.devices[process.name.device]
        // Who was cancelled, or lost the lease or the store, does not know what came of a request.
        let isKnown = report.failure != .cancelled && report.failure != .takenOver && report.failure != .store
        guard isKnown, !sync.isCancelled else { return try excuse(device, world) }
        // Of two that have taken the lease from each other, only one may decide about marks.
        let owners = owners.removeValue(forKey: device.index) ?? []
        if device.isSyncing || owners.contains(where: { $0 != process.incarnation }) {
            return try excuse(device, world)
        }
        let open = try world.view(of: device).open
        doubtful[device.index]?.formIntersection(open.filter(mayHaveLeft).map(\.entityId))
        for mutation in open where mutation.state == .sending {
            if carried[device.index]?[mutation.entityId]?.isEmpty == false { continue }
            if doubtful[device.index]?.contains(mutation.entityId) == true { continue }
            world.report(
                promise,
                "mutation \(mutation.id) of device \(device.index), \(mutation.operation) of \(mutation.entityType) "
                    + "\(mutation.entityId), counts as sent, and no request with it can have had an effect")
        }
    }

    private func excuse(_ device: SimulatedDevice, _ world: World) throws {
        doubtful[device.index, default: []].formUnion(
            try world.view(of: device).open.filter(mayHaveLeft).map(\.entityId))
    }

    /// Whether a mutation is marked. One that was parked on its way keeps its mark when a person retries it.
    private func mayHaveLeft(_ mutation: PendingMutation) -> Bool {
        if case .parked(let reason) = mutation.state { reason.isUnanswered } else { mutation.state == .sending }
    }
}
