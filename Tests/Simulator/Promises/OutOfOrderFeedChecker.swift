import TrendyDomain

/// Promise 14: an entry that appears behind ones that were read is not missed.
final class OutOfOrderFeedChecker: PromiseChecker {
    let promise = Promise.outOfOrderFeeds

    func healed(_ world: World) throws {
        for entry in world.server.feed.lastOfEach where entry.isLate {
            for device in world.devices where !world.skippers.contains(device.index) {
                guard let type = device.schema.type(for: entry.entityType) else { continue }
                try check(type, entry, device, world)
            }
        }
    }

    private func check<Entity: SyncEntity>(
        _ type: Entity.Type, _ entry: LoggedVersion, _ device: SimulatedDevice, _ world: World
    ) throws {
        let view = try world.view(of: device)
        if view.openByRecord[entry.entityId] != nil { return }
        if try view.aside().contains(where: { $0.entry.entityId == entry.entityId }) { return }
        let here = try view.fields(type, entry.entityId)
        let there = world.server.record(entry.entityId)
        if view.hasOpenParent(of: there) { return }
        if (here == nil) != (there == nil) {
            world.report(promise, "device \(device.index) has missed the late change \(entry.id) of \(entry.entityId)")
        } else if let here, let there, here.contains(where: { ($0.value) != (there[$0.key] ?? .null) }) {
            world.report(promise, "device \(device.index) shows \(entry.entityId) without the late change \(entry.id)")
        }
    }
}
