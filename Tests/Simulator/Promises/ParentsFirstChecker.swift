import Foundation
import TrendyData
import TrendyDomain

/// Promise 4, the moment of sending: a record leaves only after its parents, or with them and behind them.
///
/// Where the creation of a parent is parked, the server says that the record has to wait.
final class ParentsFirstChecker: PromiseChecker {
    let promise = Promise.order

    func departed(_ exchange: Exchange, in world: World) throws {
        let device = world.devices[exchange.sender.device]
        guard exchange.isWrite, device.processes[exchange.sender.process].isAlive else { return }
        let open = try world.view(of: device).openByRecord
        var before: Set<String> = []
        for change in exchange.sent {
            defer { before.insert(change.id) }
            guard change.operation == .create else { continue }
            for field in ["event_type_id", "geofence_id"] {
                guard let parent = change.data[field]?.stringValue, !before.contains(parent),
                    world.server.record(parent) == nil,
                    let making = open[parent]?.first(where: { $0.operation == .create && $0.state.isUnsent })
                else { continue }
                // A request that is sent again, after a refused token or over the older routes, was made before a person
                // retried the parent.
                if world.retried[device.index]?.contains(parent) ?? false { continue }
                // One that was made anew since stands behind it in the outbox: the server says that it has to wait.
                if change.mutation.map({ $0 < making.id }) ?? false { continue }
                world.report(promise, "\(exchange.sender) sends \(change.id) before its parent \(parent) is through")
            }
        }
    }
}
