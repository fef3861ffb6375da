import Foundation
import TrendyDomain

/// Promise 7, the other fields: a record with an edit on its way shows the server's values everywhere else.
final class TakenFieldsChecker: PromiseChecker {
    let promise = Promise.rebase

    /// The entries of the feed by the records that they are about, and by the times of change that they show.
    private var entries: [String: [JSONValue: [ChangeEntry]]] = [:]
    private var known = 0
    /// The place of the last entry that is known.
    private var newest: Int64 = 0

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let edited = Set(view.open.filter { $0.operation == .update }.map(\.entityId))
        if edited.isEmpty { return }
        takeUp(world.server.feed.entries)
        for id in edited.sorted() {
            guard let kind = view.open.first(where: { $0.entityId == id })?.entityType,
                let type = device.schema.type(for: kind)
            else { continue }
            try compare(type, id, view, device, world)
        }
    }

    /// A late entry stands before others: where there are late ones, all are grouped again.
    private func takeUp(_ feed: [ChangeEntry]) {
        if known == feed.count { return }
        if known > feed.count || known > 0 && feed[known - 1].id != newest {
            entries = [:]
            known = 0
        }
        for entry in feed[known...] {
            entries[entry.entityId, default: [:]][entry.data?.objectValue?["updated_at"] ?? .null, default: []]
                .append(entry)
        }
        known = feed.count
        newest = feed.last?.id ?? 0
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws {
        // The time of change tells which version it is, where only one has it.
        guard let record = try view.store.find(type, id: id), let version = record.server.updatedAt,
            let versions = entries[id]?[.string(version.description)], versions.count == 1,
            versions[0].operation != .delete, let shown = versions[0].data?.objectValue
        else { return }
        let here = try view.fields(of: record.entity)
        // A reference to what is gone is cleared here first.
        let different = Entity.fields.filter {
            $0 != "geofence_id" && (here[$0] ?? .null) != (shown[$0] ?? .null)
                && !isReferenceToGone(type, $0, shown, world)
        }
        if different.isEmpty { return }
        let own = try fieldsOfEdits(id, view)
        for field in different where !own.contains(field) {
            world.report(
                promise,
                "\(field) of \(id) on device \(device.index) is \(here[field] ?? .null), and nobody here "
                    + "changed it: the server has \(shown[field] ?? .null)")
        }
    }

    /// Whether the server has the parent no more that it shows: where that was made anew here, and merged into another
    /// of its name, its children have moved here already, and are on the server no more than it is.
    private func isReferenceToGone<Entity: SyncEntity>(
        _ type: Entity.Type, _ field: String, _ shown: [String: JSONValue], _ world: World
    ) -> Bool {
        guard let parent = Entity.parents.first(where: { $0.field == field }), let id = shown[field]?.stringValue
        else { return false }
        return world.server.record(parent.entityType, id) == nil
    }

    /// The fields that any edit from here sets, on its way or through.
    private func fieldsOfEdits(_ id: String, _ view: DeviceView) throws -> Set<String> {
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], operations: [.update, .create], entityId: id)
        var fields: Set<String> = []
        for mutation in try view.store.fetchMutations(query)
        where mutation.operation == .update || mutation.state != .accepted {
            fields.formUnion(try view.fields(of: mutation.payload).keys)
        }
        return fields
    }
}
