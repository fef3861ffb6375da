import Foundation
import TrendyDomain
import TrendySync

/// Promise 7: a field with an edit that is on its way keeps it, and what another device loses by it is listed.
final class RebaseChecker: PromiseChecker {
    let promise = Promise.rebase

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let updates = view.open.filter { $0.operation == .update }
        for (id, mutations) in Dictionary(grouping: updates, by: \.entityId).sorted(by: { $0.key < $1.key }) {
            guard let type = device.schema.type(for: mutations[0].entityType),
                !view.open.contains(where: { $0.entityId == id && $0.operation == .delete })
            else { continue }
            var edits: [String: JSONValue] = [:]
            for mutation in mutations {
                let patch = try view.fields(of: mutation.payload)
                edits.merge(patch) { $1 }
            }
            guard let fields = try fields(type, id, view) else {
                // A deletion was taken back: what went with it comes with the next sync.
                if try view.store.metadata(MetadataKey.fullResync) != nil { continue }
                world.report(promise, "\(id) on device \(device.index) has an edit on its way and is not there")
                continue
            }
            for (field, value) in edits.sorted(by: { $0.key < $1.key }) where (fields[field] ?? .null) != value {
                // A reference to what was deleted here is cleared, also where an edit on its way has set it.
                if let id = value.stringValue, world.deletedHere[device.index][id] != nil { continue }
                world.report(
                    promise,
                    "\(field) of \(id) on device \(device.index) is \(fields[field] ?? .null) and not \(value) as edited"
                )
            }
        }
    }

    private func fields<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ view: DeviceView
    ) throws -> [String: JSONValue]? {
        try view.fields(type, id)
    }
}
