import TrendyDomain
import TrendySync

/// Promise 5: the cursor does not go back, and passes nothing that was not applied or put aside.
final class CursorChecker: PromiseChecker {
    let promise = Promise.cursor
    private var cursors: [Int64]

    init(devices: Int) {
        cursors = Array(repeating: 0, count: devices)
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let cursor = view.cursor ?? 0
        if cursor < cursors[device.index] {
            world.report(
                promise, "the cursor of device \(device.index) went from \(cursors[device.index]) to \(cursor)")
        }
        cursors[device.index] = cursor
    }

    /// What lies before the cursor, and did not appear late, is here as the feed shows it.
    func healed(_ world: World) throws {
        for device in world.devices {
            let view = try DeviceView(device)
            let aside = Set(try view.store.fetchDocuments(QuarantinedChange.self).map(\.entry.entityId))
            let busy = Set(view.open.map(\.entityId))
            for (id, entry) in lastEntries(world) {
                guard entry.id <= view.cursor ?? 0, !world.server.feed.late.contains(entry.id),
                    !world.server.feed.garbled.contains(entry.id), !aside.contains(id), !busy.contains(id),
                    !world.skippers.contains(device.index), let type = device.schema.type(for: entry.entityType)
                else { continue }
                if view.hasOpenParent(of: world.server.record(entry.entityType, id)) { continue }
                let isThere = try exists(type, id, view.store)
                if isThere != (entry.operation != .delete), world.server.record(entry.entityType, id) != nil || isThere
                {
                    world.report(
                        promise,
                        "device \(device.index) has passed change \(entry.id) (\(entry.operation) of \(id)) without it")
                }
            }
        }
    }

    private func lastEntries(_ world: World) -> [(String, ChangeEntry)] {
        var last: [String: ChangeEntry] = [:]
        for entry in world.server.feed.entries { last[entry.entityId] = entry }
        return last.sorted { $0.key < $1.key }
    }

    private func exists<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ store: any DataStoreProtocol
    ) throws -> Bool {
        try store.find(type, id: id) != nil
    }
}
