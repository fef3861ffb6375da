import Foundation
import TrendyDomain
import TrendySync

/// Promise 7: a field with an edit that is on its way keeps it, and what another device loses by it is listed.
final class RebaseChecker: PromiseChecker {
    let promise = Promise.rebase

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let byRecord = Dictionary(grouping: view.open, by: \.entityId)
        for (id, waiting) in byRecord.sorted(by: { $0.key < $1.key }) {
            // What a record that was made anew says stands above the edits of its life before.
            let mutations = waiting.suffix(while: { $0.operation == .update })
            guard let type = device.schema.type(for: waiting[0].entityType), !mutations.isEmpty,
                !waiting.contains(where: { $0.operation == .delete })
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

extension Array {
    fileprivate func suffix(while isIncluded: (Element) -> Bool) -> ArraySlice<Element> {
        self[(lastIndex { !isIncluded($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}
