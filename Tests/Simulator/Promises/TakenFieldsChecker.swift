import Foundation
import TrendyDomain

/// Promise 7, the other fields: a record with an edit on its way shows the server's values everywhere else.
final class TakenFieldsChecker: PromiseChecker {
    let promise = Promise.rebase

    /// The entries of the feed by the records that they are about.
    private var entries: [String: [ChangeEntry]] = [:]
    private var known = 0

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let edited = Set(view.open.filter { $0.operation == .update }.map(\.entityId))
        if edited.isEmpty { return }
        if known != world.server.feed.entries.count {
            entries = Dictionary(grouping: world.server.feed.entries, by: \.entityId)
            known = world.server.feed.entries.count
        }
        for id in edited.sorted() {
            for entry in entries[id] ?? [] where entry.operation != .delete {
                guard let type = device.schema.type(for: entry.entityType) else { continue }
                try compare(type, entry, view, device, world)
            }
        }
    }

    private func compare<Entity: SyncEntity>(
        _ type: Entity.Type, _ entry: ChangeEntry, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws {
        guard let record = try view.store.find(type, id: entry.entityId), let shown = entry.data?.objectValue,
            let version = record.server.updatedAt, shown["updated_at"] == .string(version.description),
            isOnlyOne(entry)
        else { return }
        let own = try fieldsOfEdits(entry.entityId, view)
        let here = try WireCoding.fields(of: record.entity)
        // A reference to what is gone is cleared here first.
        for field in Entity.fields where !own.contains(field) && field != "geofence_id" {
            guard (here[field] ?? .null) != (shown[field] ?? .null) else { continue }
            world.report(
                promise,
                "\(field) of \(entry.entityId) on device \(device.index) is \(here[field] ?? .null), and nobody here "
                    + "changed it: the server has \(shown[field] ?? .null)")
        }
    }

    /// Whether the time of change tells which version it is.
    private func isOnlyOne(_ entry: ChangeEntry) -> Bool {
        let time = entry.data?.objectValue?["updated_at"]
        return (entries[entry.entityId] ?? []).filter { $0.data?.objectValue?["updated_at"] == time }.count == 1
    }

    /// The fields that any edit from here sets, on its way or through.
    private func fieldsOfEdits(_ id: String, _ view: DeviceView) throws -> Set<String> {
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], operations: [.update, .create], entityId: id)
        var fields: Set<String> = []
        for mutation in try view.store.fetchMutations(query)
        where mutation.operation == .update || mutation.state != .accepted {
            fields.formUnion(
                try WireCoding.decode([String: JSONValue].self, from: mutation.payload ?? Data("{}".utf8)).keys)
        }
        return fields
    }
}
