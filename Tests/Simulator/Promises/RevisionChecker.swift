import TrendyDomain

/// Promise 5, record by record: what a device has of a record never becomes older.
///
/// Revisions are counted by each history of a server anew; whoever takes everything anew from another history forgets
/// them.
final class RevisionChecker: PromiseChecker {
    let promise = Promise.cursor
    private var known: [[String: Int64]]
    private var epochs: [String?]
    /// Whether a device takes everything anew: what a snapshot does not show may have any tombstone, or none.
    private var wasResyncing: [Bool]

    init(devices: Int) {
        wasResyncing = Array(repeating: true, count: devices)
        known = Array(repeating: [:], count: devices)
        epochs = Array(repeating: nil, count: devices)
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        if epochs[device.index] != view.place.epoch {
            epochs[device.index] = view.place.epoch
            known[device.index] = [:]
        }
        defer { wasResyncing[device.index] = view.isResyncing }
        for (type, ids) in view.touched {
            let ids = Array(ids)
            let standings = try view.store.standings(type, ids: ids)
            let bases = try view.store.bases(type, ids: ids)
            for id in ids {
                guard let revision = bases[id]?.revision ?? standings[id]?.revision else {
                    known[device.index][id] = nil
                    continue
                }
                // A revision that is not known is asked for, has gone with its parent, or waits for a person who wants back what a
                // repair has found to be deleted.
                let isAsked = revision == 0 && (view.openByRecord[id] != nil || bases[id]?.isDeleted == true)
                if let before = known[device.index].updateValue(revision, forKey: id), revision < before,
                    !wasResyncing[device.index], !isAsked
                {
                    world.report(
                        promise, "device \(device.index) had revision \(before) of \(id), and has \(revision)")
                }
            }
        }
    }
}
