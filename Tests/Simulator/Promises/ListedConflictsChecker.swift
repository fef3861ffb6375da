import Foundation
import TrendyDomain

/// Promise 7, the list: where an edit that is on its way turns out to stand on a value that another device has
/// changed since, the value that loses is listed. What only the device's own people ever said is no other side.
final class ListedConflictsChecker: PromiseChecker {
    let promise = Promise.rebase

    private struct Edited {
        var base: Fields
        /// What the open edits say, the last word of each place.
        var edits: Fields
        /// All that the open edits say of each place.
        var said: [FieldPath: [JSONValue]]
    }

    private var edited: [Int: [String: Edited]] = [:]

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for (kind, ids) in view.touched {
            let bases = try view.store.bases(kind, ids: Array(ids))
            for id in ids {
                let before = edited[device.index]?[id]
                let now = try look(bases[id], view.openByRecord[id] ?? [], view)
                edited[device.index, default: [:]][id] = now
                guard let before, let now, before.base != now.base, !world.isActing else { continue }
                try compare(before, now, kind, id, view, device, world)
            }
        }
    }

    private func look(_ base: RecordBase?, _ open: [PendingMutation], _ view: DeviceView) throws -> Edited? {
        guard let base, !base.isDeleted, let document = base.document,
            !open.contains(where: { $0.operation != .update }), !open.isEmpty
        else { return nil }
        var edits: Fields = [:]
        var said: [FieldPath: [JSONValue]] = [:]
        for mutation in open {
            let patch = try view.fields(of: mutation.payload)
            for path in patch.paths {
                edits[path] = patch[path]
                said[path, default: []].append(patch[path])
            }
        }
        return Edited(base: document, edits: edits, said: said)
    }

    /// Whether people here gave that name to a record of their own, which merged into this one for it.
    private func isMergedName(
        _ theirs: JSONValue, _ path: FieldPath, _ id: String, _ device: SimulatedDevice, _ world: World
    ) -> Bool {
        guard let name = theirs.stringValue else { return false }
        return world.acts.contains { act in
            guard act.device == device.index, world.standsFor[device.index][act.entityId] == id,
                case .string(let own)? = act.fields?[path]
            else { return false }
            return NameKey(own) == NameKey(name)
        }
    }

    private func compare(
        _ before: Edited, _ now: Edited, _ kind: EntityType, _ id: String, _ view: DeviceView,
        _ device: SimulatedDevice, _ world: World
    ) throws {
        let listed = try view.conflicts()
        for path in now.base.differences(from: before.base)
        where !FieldPath.unchangeable.contains(path.field) && before.edits.names(path) && now.edits.names(path) {
            let (theirs, ours) = (now.base[path], now.edits[path])
            // Where people here wrote the same and something else afterwards, they know what their edit replaces.
            if theirs == ours || before.said[path]?.contains(theirs) == true { continue }
            if world.server.isMade(theirs, path, of: id, by: device.index) { continue }
            // People here have deleted what it named, too.
            if theirs == .null,
                world.acts.contains(where: {
                    $0.device == device.index && $0.isDelete && .string($0.entityId) == before.base[path]
                })
            {
                continue
            }
            let isListed = listed.contains {
                $0.entityId == id && $0.field == path.field && $0.key == path.key && $0.remoteValue == theirs
            }
            // They may have said it of another record that has merged into this one.
            if isListed || world.isOnlyOwn(theirs, path, of: kind, on: device.index) { continue }
            if isMergedName(theirs, path, id, device, world) { continue }
            world.report(
                promise,
                "\(path) of \(id) was changed to \(theirs) elsewhere and to \(ours) on device \(device.index), and no "
                    + "conflict is listed")
        }
    }
}

extension SimulatedServer {
    /// Whether it was a device that gave a place of a record its value, the last time that it got it.
    func isMade(_ value: JSONValue, _ path: FieldPath, of id: String, by device: Int) -> Bool {
        let versions = feed.versions[id] ?? []
        let maker = versions.indices.last { index in
            versions[index].fields?[path] == value && (index == 0 || versions[index - 1].fields?[path] != value)
        }
        guard let maker, effects.indices.contains(versions[maker].effect) else { return false }
        return effects[versions[maker].effect].device == device
    }
}
