import Foundation
import TrendyDomain
import TrendySync

/// Promise 7: readers see the server's version with the edits that are on their way, key by key, and nothing else. A
/// deletion on its way does to the children what it will do on the server, at its place among their edits.
final class RebaseChecker: PromiseChecker {
    let promise = Promise.rebase

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let parents = Set(device.schema.types.flatMap { $0.parents.map(\.entityType) })
        let deletions = view.open.filter { $0.operation == .delete && parents.contains($0.entityType) }
        for (kind, ids) in view.touched {
            guard let type = device.schema.type(for: kind) else { continue }
            let bases = try view.store.bases(kind, ids: Array(ids))
            for id in ids where bases[id] != nil || view.openByRecord[id] != nil {
                let open = ((view.openByRecord[id] ?? []) + deletions).sorted { $0.id < $1.id }
                try compare(type, id, fold(bases[id], open, id, type.parents, view), view, device, world)
            }
        }
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ expected: Fields?, _ view: DeviceView, _ device: SimulatedDevice,
        _ world: World
    ) throws {
        let visible = try view.fields(type, id)
        guard let expected else {
            if visible != nil { world.report(promise, "\(id) on device \(device.index) is deleted and shown") }
            return
        }
        guard let visible else {
            return world.report(promise, "\(id) on device \(device.index) has an edit on its way and is not there")
        }
        for path in visible.differences(from: expected) where Entity.fields.contains(path.field) {
            world.report(
                promise,
                "\(path) of \(id) on device \(device.index) is \(visible[path]) and not \(expected[path]), by the "
                    + "server's version and the edits on their way")
        }
    }

    /// The server's version with open operations carried out, its own and deletions of its parents; nil where the record
    /// is deleted.
    private func fold(
        _ base: RecordBase?, _ open: [PendingMutation], _ id: String, _ parents: [ParentReference], _ view: DeviceView
    ) throws -> Fields? {
        var fields = base?.isDeleted == true ? nil : base?.document
        // What was deleted elsewhere and is edited here is shown as it was, with the edit.
        var former = base?.isDeleted == true ? base?.document : nil
        for mutation in open {
            guard mutation.entityId == id else {
                for parent in parents where fields?[parent.field] == .string(mutation.entityId) {
                    if parent.onDelete == .cascade { fields = nil } else { fields?[parent.field] = nil }
                }
                continue
            }
            switch mutation.operation {
            case .create:
                // One that may have arrived changes what it says of the record that is there.
                let made = try view.fields(of: mutation.payload)
                fields = fields?.applying(made) ?? made
            case .update: fields = try (fields ?? former)?.applying(view.fields(of: mutation.payload))
            case .delete: fields = nil
            }
            former = nil
        }
        return fields
    }
}
