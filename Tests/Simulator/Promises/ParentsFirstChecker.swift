import Foundation
import TrendyData
import TrendyDomain

/// Promise 4, the moment of sending: a record leaves only when the creation of its parents is through.
final class ParentsFirstChecker: PromiseChecker {
    let promise = Promise.order

    func departed(_ exchange: Exchange, in world: World) throws {
        guard exchange.isWrite, exchange.request.method == .post, let body = exchange.request.body else { return }
        let device = world.devices[exchange.sender.device]
        guard device.processes[exchange.sender.process].isAlive else { return }
        let named = idPattern(String(decoding: body, as: UTF8.self))
        let own = Set(exchange.made)
        let unborn = try device.reader().fetchMutations(
            MutationQuery(states: [.queued, .sending, .parked], operations: [.create]))
        for parent in unborn where named.contains(parent.entityId) && !own.contains(parent.entityId) {
            world.report(
                promise, "\(exchange.sender) sends \(own.sorted()) before its parent \(parent.entityId) is through")
        }
    }
}
