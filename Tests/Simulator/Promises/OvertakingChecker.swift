import TrendyData
import TrendyDomain

/// Promise 4, the moment of sending: no edit or deletion leaves before what was done to its record earlier is settled.
final class OvertakingChecker: PromiseChecker {
    let promise = Promise.order

    func departed(_ exchange: Exchange, in world: World) throws {
        guard [.put, .delete].contains(exchange.request.method),
            let key = exchange.request.headers["Idempotency-Key"]
        else { return }
        let device = world.devices[exchange.sender.device]
        let open = try device.reader().fetchMutations(MutationQuery(states: [.queued, .sending, .parked]))
        guard let own = open.first(where: { $0.clientRequestId == key }) else { return }
        for earlier in open where earlier.entityId == own.entityId && earlier.id < own.id {
            world.report(
                promise,
                "\(exchange.sender) sends mutation \(own.id) before \(earlier.id) of the same record, "
                    + "which is \(earlier.state)")
        }
    }
}
