import TrendyDomain

/// Promise 5, what is not understood: a change of a kind that a device does not know yet waits there.
final class PutAsideChecker: PromiseChecker {
    let promise = Promise.cursor

    func healed(_ world: World) throws {
        var last: [String: ChangeEntry] = [:]
        for entry in world.server.feed.entries { last[entry.entityId] = entry }
        for device in world.devices where !world.skippers.contains(device.index) {
            let view = try DeviceView(device)
            let aside = Set(try view.store.fetchDocuments(QuarantinedChange.self).map(\.entry.entityId))
            for (id, entry) in last.sorted(by: { $0.key < $1.key }) {
                guard device.schema.type(for: entry.entityType) == nil, entry.id <= view.cursor ?? 0,
                    entry.operation != .delete, !aside.contains(id)
                else { continue }
                world.report(promise, "device \(device.index) has passed change \(entry.id) of \(id) and not kept it")
            }
        }
    }
}
