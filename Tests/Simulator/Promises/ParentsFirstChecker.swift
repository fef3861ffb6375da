import Foundation
import TrendyData
import TrendyDomain

/// Promise 4, the moment of sending: a record leaves only when the creation of its parents is through.
final class ParentsFirstChecker: PromiseChecker {
    let promise = Promise.order

    /// The newest mutation that was open when a record left for the first time; by device and record.
    private var newestAtFirst: [Int: [String: Int64]] = [:]

    func departed(_ exchange: Exchange, in world: World) throws {
        guard exchange.isWrite, exchange.request.method == .post, let body = exchange.request.body else { return }
        let device = world.devices[exchange.sender.device]
        guard device.processes[exchange.sender.process].isAlive else { return }
        let named = idPattern(String(decoding: body, as: UTF8.self))
        let own = Set(exchange.made)
        let open = try device.reader().fetchMutations(
            MutationQuery(states: [.queued, .sending, .parked], operations: [.create, .delete]))
        let first = newestAtFirst[exchange.sender.device] ?? [:]
        newestAtFirst[exchange.sender.device] = first.merging(own.map { ($0, open.last?.id ?? 0) }) { old, _ in old }
        let sent = open.last { $0.state.name == .sending && own.contains($0.entityId) }
        for parent in open where parent.operation == .create && named.contains(parent.entityId) {
            // A record sent before its parent was deleted here is a child of the life before.
            let isOfNextLife = open.contains {
                $0.operation == .delete && $0.entityId == parent.entityId && $0.id < parent.id
                    && $0.id > (sent?.id ?? .max)
            }
            // One that left before, and of which nobody knows what became, goes again, though its parent was deleted
            // elsewhere and is being put back here since.
            let leftBefore = own.allSatisfy { id in first[id].map { $0 < parent.id } ?? false }
            if own.contains(parent.entityId) || isOfNextLife || leftBefore { continue }
            world.report(
                promise, "\(exchange.sender) sends \(own.sorted()) before its parent \(parent.entityId) is through")
        }
    }
}
