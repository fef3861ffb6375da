import TrendyDomain

/// Promise 7, the list from its other end: nothing is listed that nobody else made. A value that only a device's own
/// people ever gave to a field is no other side, however it came back to the device.
///
/// What people gave up on the device is left out: it may have arrived all the same, and then it is the server's value.
/// So are records for which others came to stand, whose own values are listed as what they lost; the engine says so of
/// them (``SyncConflict/losingSide``), also where the record that stood for another is gone.
final class MadeConflictsChecker: PromiseChecker {
    let promise = Promise.rebase
    /// The conflicts of fields that were seen, by device. They are judged when every act is known.
    private var seen: [Int: [String: SyncConflict]] = [:]

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for conflict in try view.conflicts()
        where conflict.kind == .field && conflict.losingSide != .here || conflict.kind != .field {
            seen[device.index, default: [:]][conflict.id] = conflict
        }
    }

    func healed(_ world: World) throws {
        let standIns = Set(world.twins.values)
        for (device, conflicts) in seen.sorted(by: { $0.key < $1.key }) where !world.droppers.contains(device) {
            for conflict in conflicts.values.sorted(by: { $0.id < $1.id })
            where !standIns.contains(conflict.entityId) {
                guard conflict.kind == .field else {
                    if isOwn(conflict, device, world) {
                        world.report(
                            promise,
                            "\(conflict.entityId) is listed on device \(device) as \(conflict.kind.rawValue), and only "
                                + "people of that device did that")
                    }
                    continue
                }
                guard
                    world.isOnlyOwn(
                        conflict.remoteValue, FieldPath(field: conflict.field ?? "", key: conflict.key),
                        of: conflict.entityType, conflict.entityId, on: device)
                else { continue }
                world.report(
                    promise,
                    "\(conflict.field ?? "") of \(conflict.entityId) on device \(device) is listed as "
                        + "\(conflict.remoteValue) elsewhere, and only people of that device ever made it that")
            }
        }
    }

    /// Whether nobody else can have edited, or deleted, what is listed so.
    private func isOwn(_ conflict: SyncConflict, _ device: Int, _ world: World) -> Bool {
        let (kind, id) = (conflict.entityType, conflict.entityId)
        if conflict.kind == .deletedHereEditedElsewhere {
            return !isLoggedTwice(kind, id, world) && world.isOnlyOwn(kind, id, conflict.remoteValue, on: device)
        }
        // Whoever gives up a create that may have arrived deletes the record by that.
        // Whoever brings a record back after a full fetch does not know of its tombstone.
        if world.isPutBack || !world.droppers.isEmpty || world.remade.contains(id) { return false }
        let references = EntitySchema.trendy.type(for: kind)?.parents ?? []
        let parents = Set(references.map(\.entityType))
        // A record goes with a parent that is deleted, also if it was moved there before the server, or the device, knew that.
        let moves = world.acts.filter { $0.entityId == id && !$0.isCreate }
        let named = moves.flatMap { move in references.compactMap { move.fields?[$0.field]?.stringValue } }
        let targets = world.withStandIns(Set(named))
        if world.acts.contains(where: { $0.device == device && $0.isDelete && targets.contains($0.entityId) }) {
            return false
        }
        return !world.acts.contains { act in
            act.device != device && act.isDelete && (act.entityId == id || parents.contains(act.entityType))
        }
    }
    /// Whether another record was made that servers recognise as this one: they give this one the values of the other.
    private func isLoggedTwice(_ kind: EntityType, _ id: String, _ world: World) -> Bool {
        let key = EntitySchema.trendy.type(for: kind).map { Set($0.recognitionKey).subtracting($0.naturalKey) } ?? []
        let made = world.acts.filter { $0.entityType == kind && $0.isCreate }
        guard let own = made.first(where: { $0.entityId == id })?.fields?.filter({ key.contains($0.key) }), !own.isEmpty
        else { return false }
        return made.contains { other in other.entityId != id && own.allSatisfy { other.fields?[$0.key] == $0.value } }
    }
}
