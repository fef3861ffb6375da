import Foundation
import TrendyDomain

/// Promise 7, the list: where an edit that is on its way turns out to stand on a value that another device has
/// changed since, the value that loses is listed. What only the device's own people ever said is no other side.
final class ListedConflictsChecker: PromiseChecker {
    let promise = Promise.rebase
    private var bases: [Int: [Int64: [String: JSONValue]]] = [:]

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let before = bases[device.index] ?? [:]
        var now: [Int64: [String: JSONValue]] = [:]
        for mutation in view.open where mutation.operation == .update {
            now[mutation.id] = try view.fields(of: mutation.base)
        }
        bases[device.index] = now
        if world.isActing { return }
        let listed = try view.conflicts()
        for mutation in view.open {
            guard let old = before[mutation.id], let new = now[mutation.id], old != new else { continue }
            let edits = try view.fields(of: mutation.payload)
            for (field, theirs) in new.sorted(by: { $0.key < $1.key }) {
                guard let began = old[field], began != theirs, let ours = edits[field], theirs != ours else { continue }
                let isListed = listed.contains {
                    $0.entityId == mutation.entityId && $0.field == field && $0.remoteValue == theirs
                }
                // They may have said it of another record that has merged into this one.
                let isOnlyOwn = world.isOnlyOwn(theirs, field, of: mutation.entityType, on: device.index)
                if isListed || isOnlyOwn { continue }
                // What a later edit from here says as well is lost to nobody.
                let isSaidHere = try view.open.contains { later in
                    try later.entityId == mutation.entityId && later.id > mutation.id
                        && view.fields(of: later.payload)[field] == theirs
                }
                if isSaidHere { continue }
                // A reference to what was deleted here has gone from the record before.
                if field == "geofence_id", let id = theirs.stringValue,
                    world.deletedHere[device.index][id] == .geofence
                {
                    continue
                }
                world.report(
                    promise,
                    "\(field) of \(mutation.entityId) was changed to \(theirs) elsewhere and to \(ours) on device "
                        + "\(device.index), and no conflict is listed")
            }
        }
    }
}
