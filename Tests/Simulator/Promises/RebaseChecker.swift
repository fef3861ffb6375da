import Foundation
import TrendyDomain
import TrendySync

/// Promise 7: readers see the server's version with the edits that are on their way, key by key, and nothing else.
final class RebaseChecker: PromiseChecker {
    let promise = Promise.rebase

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for (kind, ids) in view.touched {
            guard let type = device.schema.type(for: kind) else { continue }
            let bases = try view.store.bases(kind, ids: Array(ids))
            for id in ids where bases[id] != nil || view.openByRecord[id] != nil {
                try compare(type, id, bases[id], view, device, world)
            }
        }
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ base: RecordBase?, _ view: DeviceView, _ device: SimulatedDevice,
        _ world: World
    ) throws {
        let visible = try view.fields(type, id)
        guard let expected = try fold(base, view.openByRecord[id] ?? [], view) else {
            if visible != nil { world.report(promise, "\(id) on device \(device.index) is deleted and shown") }
            return
        }
        guard let visible else {
            if try type.parents.contains(where: { try $0.onDelete == .cascade && isHidden($0, expected, view) }) {
                return
            }
            // It was deleted here, and the server has deleted it with its parent: the next answer tells the tombstone.
            if view.openByRecord[id] == nil, world.server.record(id) == nil { return }
            return world.report(promise, "\(id) on device \(device.index) has an edit on its way and is not there")
        }
        for path in visible.differences(from: expected) where Entity.fields.contains(path.field) {
            // A reference to what is deleted here is not shown.
            if visible[path] == .null,
                try type.parents.contains(where: { try $0.field == path.field && isHidden($0, expected, view) })
            {
                continue
            }
            world.report(
                promise,
                "\(path) of \(id) on device \(device.index) is \(visible[path]) and not \(expected[path]), by the "
                    + "server's version and the edits on their way")
        }
    }

    /// The server's version with the open operations carried out; nil where the record is deleted.
    private func fold(_ base: RecordBase?, _ open: [PendingMutation], _ view: DeviceView) throws -> Fields? {
        var fields = base?.isDeleted == true ? nil : base?.document
        // What was deleted elsewhere and is edited here is shown as it was, with the edit.
        var former = base?.isDeleted == true ? base?.document : nil
        for mutation in open {
            switch mutation.operation {
            case .create: fields = try view.fields(of: mutation.payload)
            case .update: fields = try (fields ?? former)?.applying(view.fields(of: mutation.payload))
            case .delete: fields = nil
            }
            former = nil
        }
        return fields
    }

    private func isHidden(_ reference: ParentReference, _ fields: Fields, _ view: DeviceView) throws -> Bool {
        guard let parent = fields[reference.field]?.stringValue else { return false }
        return try !view.store.shows(reference.entityType, parent)
    }
}
