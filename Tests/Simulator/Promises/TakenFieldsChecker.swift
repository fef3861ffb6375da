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
                if fields == nil, let shown = version.fields, isGone(.cascade, shown, Entity.parents, revision, world) {
                    return
                }
                let what = fields == nil ? "deleted" : "there"
                world.report(promise, "device \(device.index) takes \(id) for \(what) by revision \(revision)")
            }
            return
        }
        for path in fields.differences(from: shown) where Entity.fields.contains(path.field) {
            let references = Entity.parents.filter { $0.field == path.field }
            if fields[path] == .null, isGone(.clear, shown, references, revision, world) { continue }
            world.report(
                promise,
                "\(path) of \(id) on device \(device.index) is \(fields[path]), and nobody here changed it: the "
                    + "server has \(shown[path])")
        }
    }

    /// Whether the server has deleted a record since to which a version belonged. A device that deletes one does to the
    /// children what the server does, and hears of their revisions later, or never from servers of the first API.
    private func isGone(
        _ effect: ParentReference.Deletion, _ shown: Fields, _ references: [ParentReference], _ revision: Int64,
        _ world: World
    ) -> Bool {
        references.contains { reference in
            guard reference.onDelete == effect, let id = shown[reference.field]?.stringValue else { return false }
            return (world.server.feed.versions[id] ?? []).contains {
                $0.operation == .delete && (world.server.gateway == .rest || $0.revision > revision)
            }
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
