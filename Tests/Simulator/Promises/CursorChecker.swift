import TrendyDomain
import TrendySync

/// Promise 5: the cursor does not go back, and passes nothing that was not applied or put aside.
final class CursorChecker: PromiseChecker {
    let promise = Promise.cursor
    /// How far each device had read, and the history that it read.
    private var cursors: [(read: Int64, epoch: String?)]

    init(devices: Int) {
        cursors = Array(repeating: (0, nil), count: devices)
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        // Whoever takes everything anew begins at the beginning.
        if view.isResyncing { return }
        let before = cursors[device.index]
        if view.cursor < before.read {
            world.report(promise, "the cursor of device \(device.index) went from \(before.read) to \(view.cursor)")
        }
        cursors[device.index] = (view.cursor, view.place.epoch)
    }

    /// What lies before the cursor, and did not appear late, is here as the feed shows it.
    func healed(_ world: World) throws {
        for device in world.devices where !world.skippers.contains(device.index) {
            let view = try world.view(of: device)
            let aside = Set(try view.aside().map(\.entry.entityId))
            for entry in world.server.feed.lastOfEach {
                guard entry.id <= view.cursor, !entry.isLate, !aside.contains(entry.entityId),
                    view.openByRecord[entry.entityId] == nil, device.schema.type(for: entry.entityType) != nil
                else { continue }
                let there = world.server.record(entry.entityId)
                if view.hasOpenParent(of: there) { continue }
                let isHere = try view.store.shows(entry.entityType, entry.entityId)
                // A later version may have no entry in the feed.
                if isHere != (entry.operation != .delete), isHere != (there != nil) {
                    world.report(
                        promise,
                        "device \(device.index) has passed change \(entry.id) (\(entry.operation) of \(entry.entityId)) "
                            + "without it")
                }
            }
        }
    }
}
