import TrendyDomain

/// Promise 5, what is not understood: a change of a kind that a device does not know yet waits there.
final class PutAsideChecker: PromiseChecker {
    let promise = Promise.cursor

    func healed(_ world: World) throws {
        for device in world.devices where !world.skippers.contains(device.index) {
            let view = try world.view(of: device)
            let aside = Set(try view.aside().map(\.entry.entityId))
            for entry in world.server.feed.lastOfEach {
                guard device.schema.type(for: entry.entityType) == nil, entry.id <= view.cursor,
                    entry.operation != .delete, !aside.contains(entry.entityId)
                else { continue }
                world.report(
                    promise,
                    "device \(device.index) has passed change \(entry.id) of \(entry.entityId) and not kept it")
            }
        }
    }
}
