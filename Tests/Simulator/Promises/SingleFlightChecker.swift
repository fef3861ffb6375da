import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Promise 10: at most one sync at a time on a store.
final class SingleFlightChecker: PromiseChecker {
    let promise = Promise.singleFlight

    /// What was refused because of its token in a sync that is under way, and may be sent once more by the client
    /// itself; by the process that sent it.
    private var signedOut: [String: [TransportRequest]] = [:]
    /// What was open on a device at its last commit, as it was then.
    private var open: [Int: [PendingMutation]] = [:]

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let process = world.devices[exchange.sender.device].processes[exchange.sender.process]
        if response.status == 401 { signedOut[process.incarnation, default: []].append(exchange.request) }
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        // Signing in anew is no sync, and looking up the newest cursor to pass over the feed neither.
        if exchange.isSignIn { return }
        let device = world.devices[exchange.sender.device]
        let process = device.processes[exchange.sender.process]
        guard process.isAlive else { return }
        if let other = requestOfOther(than: exchange, in: world) {
            world.report(
                promise, "\(process.name) sends \(exchange.request) while #\(other) of \(device.index) is on its way")
        }
        if isSecondTry(exchange, of: process) { return }
        let owner = try device.leaseOwner()
        if owner != process.incarnation {
            world.report(
                promise, "\(process.name) sends \(exchange.request) while \(owner ?? "nobody") has the right to sync")
        }
    }

    /// A request of another process on the same device that is on its way. A clock that jumps ends a lease before its time.
    private func requestOfOther(than exchange: Exchange, in world: World) -> Int? {
        if world.hasClockJumps { return nil }
        return world.network.exchanges.first { other in
            other.sender.device == exchange.sender.device && other.sender.process != exchange.sender.process
                && !other.isAbandoned && !other.isSignIn && other.departedAt >= world.patienceEnd
        }?.id
    }

    /// Whether it is the client's own second try, with a renewed token, which is part of the first. Batches that are
    /// under way at once are tried again in any order.
    private func isSecondTry(_ exchange: Exchange, of process: DeviceProcess) -> Bool {
        let first = signedOut[process.incarnation]?.firstIndex { earlier in
            earlier.url == exchange.request.url && earlier.method == exchange.request.method
                && earlier.body == exchange.request.body
        }
        guard let first else { return false }
        signedOut[process.incarnation]?.remove(at: first)
        return true
    }

    /// What stopped waiting for a moment has had its turn: it was sent, or refused and then put back by a person.
    ///
    /// What was held back, and is no longer, because a person has changed it into something else, is work of that
    /// moment: the turn of what it was may be over.
    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let before = open[device.index] ?? []
        open[device.index] = view.open
        let waited = Dictionary(before.filter { $0.state == .queued }.map { ($0.id, $0) }) { first, _ in first }
        let waiting = Set(
            view.open.filter { $0.state == .queued }.filter { mutation in
                guard let former = waited[mutation.id], former.payload != mutation.payload else { return true }
                return !isHeld(former, by: before) && !isHeld(former, by: view.open)
            }.map(\.id))
        for process in device.processes where !process.syncs.isEmpty {
            let early = try early(of: view.open, process, device)
            for sync in process.syncs { sync.queued = sync.queued.intersection(waiting).subtracting(early) }
        }
    }

    /// What the server refuses for the time in its id. It waits for that time, which may come before the sync ends.
    private func early(
        of open: [PendingMutation], _ process: DeviceProcess, _ device: SimulatedDevice
    ) throws -> Set<Int64> {
        let (clock, now) = (try process.engine.serverClock(), device.clock.now())
        return Set(open.filter { clock.waitEnd(of: $0, at: now) != nil }.map(\.id))
    }

    /// Whether something else that is open is about the record of a mutation, or about one that it names.
    private func isHeld(_ mutation: PendingMutation, by open: [PendingMutation]) -> Bool {
        let named = idPattern(String(decoding: mutation.payload ?? Data(), as: UTF8.self))
        return open.contains { other in
            other.id != mutation.id && (other.entityId == mutation.entityId || named.contains(other.entityId))
        }
    }

    /// Whoever gets a good report finds his work sent, or knows why not.
    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {
        signedOut[process.incarnation] = nil
        guard report.failure == nil else { return }
        if sync.queued.isEmpty { return }
        let device = world.devices[process.name.device]
        let view = try world.view(of: device)
        // A deletion follows what it had to wait for, and that may have been settled last.
        for mutation in view.open
        where mutation.state == .queued && sync.queued.contains(mutation.id) && mutation.attempts == 0
            && mutation.operation != .delete
        {
            if !isHeld(mutation, by: view.open) {
                world.report(
                    promise, "sync \(sync.number) of \(process.name) ended well and left mutation \(mutation.id) behind"
                )
            }
        }
    }
}

extension SimulatedDevice {
    private struct Lease: Decodable {
        var owner: String
    }

    /// The incarnation of the process that has the lease; nil if none has.
    func leaseOwner() throws -> String? {
        try reader().metadata(MetadataKey.lease).map { try WireCoding.decode(Lease.self, from: .init($0.utf8)) }?.owner
    }
}
