import Foundation
import TrendyDomain

/// Promise 7, what edits stand on: what a device takes for the server's version is that version, with every value that
/// others have set or cleared.
final class TakenFieldsChecker: PromiseChecker {
    let promise = Promise.rebase

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for (kind, ids) in view.touched {
            guard let type = device.schema.type(for: kind) else { continue }
            let bases = try view.store.bases(kind, ids: Array(ids))
            try compare(type, ids, bases, view, device, world)
        }
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ ids: Set<String>, _ bases: [String: RecordBase], _ view: DeviceView,
        _ device: SimulatedDevice, _ world: World
    ) throws {
        let records = try view.store.fetch(type, ids: ids.filter { bases[$0] == nil })
        for id in ids {
            if let base = bases[id] {
                let time = base.document?["updated_at"]?.stringValue.flatMap(Timestamp.init)
                try compare(type, id, base.isDeleted ? nil : base.document, base.revision, time, device, world)
            } else if let record = records[id], record.syncStatus == .synced {
                try compare(
                    type, id, view.fields(of: record.entity), record.revision, record.server.updatedAt, device, world)
            }
        }
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ fields: Fields?, _ revision: Int64, _ time: Timestamp?,
        _ device: SimulatedDevice, _ world: World
    ) throws {
        guard let version = version(id, revision, time, world) else {
            if world.server.gateway == .exact, revision > 0, !isPassing(id, revision, world) {
                world.report(promise, "device \(device.index) has revision \(revision) of \(id), which never was")
            }
            return
        }
        guard let fields, let shown = version.fields else {
            if world.server.gateway == .exact, (fields == nil) != (version.fields == nil) {
                let what = fields == nil ? "deleted" : "there"
                world.report(promise, "device \(device.index) takes \(id) for \(what) by revision \(revision)")
            }
            return
        }
        for path in fields.differences(from: shown) where Entity.fields.contains(path.field) {
            // Servers of the first API may say nothing of what they clear with a deletion: the device does it by itself.
            if world.server.gateway == .rest, fields[path] == .null, let id = shown[path].stringValue,
                Entity.parents.contains(where: { $0.field == path.field }), world.server.record(id) == nil
            {
                continue
            }
            world.report(
                promise,
                "\(path) of \(id) on device \(device.index) is \(fields[path]), and nobody here changed it: the "
                    + "server has \(shown[path])")
        }
    }

    /// The version that a device has; nil where it cannot be told, as by a time of change that two versions have.
    private func version(_ id: String, _ revision: Int64, _ time: Timestamp?, _ world: World) -> LoggedVersion? {
        let versions = world.server.feed.versions[id] ?? []
        if world.server.gateway == .exact { return versions.last { $0.revision == revision } }
        guard let time else { return nil }
        let shown = versions.filter { $0.fields?["updated_at"] == .string(time.description) }
        return shown.count == 1 ? shown.first : nil
    }

    /// Whether a revision was overtaken by another within the request that made it.
    private func isPassing(_ id: String, _ revision: Int64, _ world: World) -> Bool {
        world.server.effects.contains { $0.landed == id && $0.revision == revision }
    }
}
