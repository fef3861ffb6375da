import TrendyDomain

/// Promise 5, what is not understood: a change of a kind that a device does not know yet waits there.
///
/// The older routes have a listing for each kind, and a device reads those that it knows. What was written long before is
/// not put aside: an app that learns a kind reads its listing at once. The newest entries of the feed are read as well.
final class PutAsideChecker: PromiseChecker {
    let promise = Promise.cursor
    /// Up to which place a device that reads the listings does not read the feed.
    private var listed: [Int64]
    private var wasResyncing: [Bool]
    /// How many of the newest entries it reads.
    private static let overlap: Int64 = 100

    init(devices: Int) {
        listed = Array(repeating: 0, count: devices)
        wasResyncing = Array(repeating: false, count: devices)
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        defer { wasResyncing[device.index] = view.isResyncing }
        guard world.server.gateway == .rest, view.isResyncing, !wasResyncing[device.index] else { return }
        listed[device.index] = world.server.feed.latest - Self.overlap
    }

    func healed(_ world: World) throws {
        for device in world.devices where !world.skippers.contains(device.index) {
            let view = try world.view(of: device)
            let aside = Set(try view.aside().map(\.entry.entityId))
            for entry in world.server.feed.lastOfEach {
                guard device.schema.type(for: entry.entityType) == nil, entry.id <= view.cursor,
                    entry.id > listed[device.index], entry.operation != .delete, !aside.contains(entry.entityId)
                else { continue }
                world.report(
                    promise,
                    "device \(device.index) has passed change \(entry.id) of \(entry.entityId) and not kept it")
            }
        }
    }
}
