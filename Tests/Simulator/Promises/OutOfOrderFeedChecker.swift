import TrendyDomain

/// Promise 14: an entry that appears behind ones that were read is not missed.
final class OutOfOrderFeedChecker: PromiseChecker {
    let promise = Promise.outOfOrderFeeds

    func healed(_ world: World) throws {
        var last: [String: ChangeEntry] = [:]
        for entry in world.server.feed.entries { last[entry.entityId] = entry }
        for entry in last.values.sorted(by: { $0.id < $1.id }) where world.server.feed.late.contains(entry.id) {
            for device in world.devices where !world.skippers.contains(device.index) {
                guard let type = device.schema.type(for: entry.entityType) else { continue }
                try check(type, entry, device, world)
            }
        }
    }

    private func check<Entity: SyncEntity>(
        _ type: Entity.Type, _ entry: ChangeEntry, _ device: SimulatedDevice, _ world: World
    ) throws {
        let view = try DeviceView(device)
        if view.open.contains(where: { $0.entityId == entry.entityId }) { return }
        let aside = try view.store.fetchDocuments(QuarantinedChange.self)
        if aside.contains(where: { $0.entry.entityId == entry.entityId }) { return }
        let here = try view.fields(type, entry.entityId)
        let there = world.server.record(entry.entityType, entry.entityId)
        if view.hasOpenParent(of: there) { return }
        if (here == nil) != (there == nil) {
            world.report(promise, "device \(device.index) has missed the late change \(entry.id) of \(entry.entityId)")
        } else if let here, let there, here.contains(where: { ($0.value) != (there[$0.key] ?? .null) }) {
            world.report(promise, "device \(device.index) shows \(entry.entityId) without the late change \(entry.id)")
        }
    }
}
