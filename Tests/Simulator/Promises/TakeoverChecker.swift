import Foundation
import TrendyDomain
import TrendySync

/// Promise 9, the result: when new records have taken the place of the old ones, everything is here that was on the
/// server before the listing began, and is there still.
final class TakeoverChecker: PromiseChecker {
    let promise = Promise.bootstrap
    /// Where the feed was when the listing began that is going on, by device.
    private var starts: [Int: Int64] = [:]
    /// What a device's progress said when it was last read, by device.
    private var progress: [Int: String] = [:]

    private struct Progress: Decodable {
        var startCursor: Int64
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        if let text = try view.store.metadata(MetadataKey.bootstrap) {
            if progress.updateValue(text, forKey: device.index) == text { return }
            starts[device.index] = try WireCoding.decode(Progress.self, from: Data(text.utf8)).startCursor
            return
        }
        progress[device.index] = nil
        guard let start = starts.removeValue(forKey: device.index), !world.isActing,
            try view.store.metadata(MetadataKey.fullResync) == nil
        else { return }
        let deletions = MutationQuery(states: [.queued, .sending, .parked, .accepted], operations: [.delete])
        let deleted = Set(try view.store.fetchMutations(deletions).map(\.entityId))
        for entry in lastEntries(world) where entry.id <= start && entry.operation != .delete {
            guard !world.server.feed.late.contains(entry.id), let type = device.schema.type(for: entry.entityType),
                let there = world.server.record(entry.entityType, entry.entityId), !deleted.contains(entry.entityId),
                !deleted.contains(there["event_type_id"]?.stringValue ?? ""), try isMissing(type, entry.entityId, view)
            else { continue }
            world.report(
                promise,
                "device \(device.index) fetched everything anew, and \(entry.entityType) \(entry.entityId) is "
                    + "not there, which the server had before")
        }
    }

    private func lastEntries(_ world: World) -> [ChangeEntry] {
        var last: [String: ChangeEntry] = [:]
        for entry in world.server.feed.entries { last[entry.entityId] = entry }
        return last.values.sorted { $0.id < $1.id }
    }

    private func isMissing<Entity: SyncEntity>(_ type: Entity.Type, _ id: String, _ view: DeviceView) throws -> Bool {
        try view.store.find(type, id: id) == nil
    }
}
