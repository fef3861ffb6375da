import Foundation
import TrendyDomain
import TrendySync

/// Promise 9, the result: when everything has been taken anew, everything is here that was on the server before, and is
/// there still.
final class TakeoverChecker: PromiseChecker {
    let promise = Promise.bootstrap
    /// Where the feed was when the resync began that is going on, by device.
    private var starts: [Int: Int64] = [:]

    func departed(_ exchange: Exchange, in world: World) throws {
        guard exchange.isSync else { return }
        let device = world.devices[exchange.sender.device]
        if try world.view(of: device).place.cursor == nil { starts[device.index] = world.server.feed.latest }
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        if view.isResyncing { return }
        guard var start = starts.removeValue(forKey: device.index), !world.isActing,
            !world.skippers.contains(device.index)
        else { return }
        if world.server.gateway == .exact { start = view.place.head }
        let deletions = MutationQuery(states: [.queued, .sending, .parked, .accepted], operations: [.delete])
        let deleted = Set(try view.store.fetchMutations(deletions).map(\.entityId))
        let aside = Set(try view.aside().map(\.entry.entityId))
        for entry in world.server.feed.lastOfEach where entry.id <= start && !entry.isLate {
            let id = entry.entityId
            guard device.schema.type(for: entry.entityType) != nil, !aside.contains(id), !deleted.contains(id) else {
                continue
            }
            let isHere = try view.store.shows(entry.entityType, id)
            if let there = world.server.record(id) {
                let type = there["event_type_id"]?.stringValue ?? ""
                // An edit that waits may have moved it beneath a type that is deleted here.
                let moves = try (view.openByRecord[id] ?? []).compactMap {
                    try view.fields(of: $0.payload)["event_type_id"]?.stringValue
                }
                if isHere || deleted.contains(type) || !deleted.isDisjoint(with: moves) { continue }
                world.report(
                    promise,
                    "device \(device.index) took everything anew, and \(entry.entityType) \(id) is not there, which the "
                        + "server had before")
            } else if isHere, world.server.gateway == .exact, view.openByRecord[id] == nil {
                world.report(
                    promise,
                    "device \(device.index) took everything anew, and has \(entry.entityType) \(id), which was deleted")
            }
        }
    }
}
