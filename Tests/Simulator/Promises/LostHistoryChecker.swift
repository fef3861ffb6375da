import TrendyDomain
import TrendySync

/// Promises 3 and 6 where the server's data is put back to a state in which all agreed: whatever a device showed then, and
/// the server has lost, the device still shows, or lists. What was deleted stays deleted.
struct LostHistoryChecker {
    /// Records by their kinds and ids.
    typealias Records = [EntityType: [String: Fields]]

    /// What each device showed at one moment, which deletions of all of them waited, and how many acts there were.
    struct Moment {
        var shown: [Records]
        var waitingDeletions: Set<String>
        var acts: Int
    }

    /// What all have at the moment of the copy.
    private let copied: Records
    private let actsBefore: Int

    init(_ world: World) throws {
        copied = try Self.records(of: world)
        actsBefore = world.acts.count
    }

    /// What the devices show when the data is put back.
    func note(_ world: World) throws -> Moment {
        let open = try world.devices.flatMap { try world.view(of: $0).open }
        return Moment(
            shown: try world.devices.map { try Self.records(on: $0) },
            waitingDeletions: Set(open.filter { $0.operation == .delete }.map(\.entityId)), acts: world.acts.count)
    }

    /// Demanded when all have synced, before anybody decides about anything.
    func check(_ moment: Moment, _ world: World) throws {
        let there = try Self.records(of: world)
        for device in world.devices {
            let before = moment.shown[device.index]
            let now = try Self.records(on: device)
            let view = try world.view(of: device)
            for (type, records) in before.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                for (id, ours) in records.sorted(by: { $0.key < $1.key }) {
                    // It has turned out to be another record.
                    if world.standsFor[device.index][id] != nil { continue }
                    if let theirs = there[type]?[id] {
                        try compare(ours, theirs, now[type]?[id], id, view, device, moment, world)
                    } else if !isDeleted(id, ours, copied[type]?[id] ?? [:], since: moment, world),
                        view.openByRecord[id]?.contains(where: { $0.state.name == .parked }) != true,
                        try !view.conflicts().contains(where: { $0.entityId == id && $0.kind != .field })
                    {
                        world.report(
                            .nothingVanishes, "the server has lost \(id), and device \(device.index) does not say so")
                    }
                }
            }
            for (type, records) in copied {
                for id in records.keys.sorted()
                where before[type]?[id] == nil && !isMade(id, now[type]?[id], device, world) {
                    world.report(
                        .noResurrection, "\(id) was deleted on device \(device.index), and is back without a word")
                }
            }
        }
    }

    private func compare(
        _ ours: Fields, _ theirs: Fields, _ now: Fields?, _ id: String, _ view: DeviceView, _ device: SimulatedDevice,
        _ moment: Moment, _ world: World
    ) throws {
        // It is deleted here by now.
        guard let now else { return }
        // What was done to a record that has turned out to be this one was done to this one.
        func isOfThis(_ act: Act) -> Bool { act.entityId == id || world.standsFor[act.device][act.entityId] == id }
        let since = world.acts[moment.acts...].filter(isOfThis)
        // What was edited before went with it, or with its parent. If it is here again, it was made anew.
        let deletable = world.withStandIns(Set(ours.values.compactMap(\.stringValue) + [id]))
        let isDeletedHere = world.acts[moment.acts...].contains {
            $0.isDelete && $0.device == device.index && deletable.contains($0.entityId)
        }
        if isDeletedHere { return }
        let ofOthers = world.acts[actsBefore...].filter { isOfThis($0) && $0.device != device.index }
        let conflicts = try view.conflicts().filter { $0.entityId == id }
        for path in ours.differences(from: theirs) where !FieldPath.unchangeable.contains(path.field) {
            let value = ours[path]
            if now[path] == value || since.contains(where: { $0.fields?.names(path) == true })
                || ofOthers.contains(where: { $0.says(theirs[path], of: path, world) })
                || conflicts.contains(where: { $0.place == place(path) && $0.remoteValue == value })
                || isOfGoneParent(path, ours, theirs, device, world)
            {
                continue
            }
            world.report(
                .nothingVanishes,
                "\(path) of \(id) was \(value) on device \(device.index), the server has \(theirs[path]), and nothing says so"
            )
        }
    }

    private func place(_ path: FieldPath) -> TrendyDomain.FieldPath { .init(path.field, key: path.key) }

    /// Whether a reference comes or goes with the record that it names, or that record has turned out to be another.
    private func isOfGoneParent(
        _ path: FieldPath, _ ours: Fields, _ theirs: Fields, _ device: SimulatedDevice, _ world: World
    ) -> Bool {
        // A deletion may have emptied a place that somebody had filled since the copy.
        let given = world.acts[actsBefore...].filter { $0.entityId == ours["id"]?.stringValue }.map { $0.fields?[path] }
        return ([ours[path], theirs[path]] + given).compactMap { $0?.stringValue }.contains { id in
            world.standsFor[device.index][id] != nil
                || world.acts[actsBefore...].contains { $0.isDelete && $0.entityId == id }
        }
    }

    /// Whether the server has heard of a deletion of a record, or of one that it belongs to, since a moment.
    private func isDeleted(
        _ id: String, _ fields: Fields, _ former: Fields, since moment: Moment, _ world: World
    ) -> Bool {
        // It may have been moved to another parent since.
        let moves = world.acts[actsBefore...].filter { $0.entityId == id }.compactMap(\.fields)
        let named = [id] + ([fields, former] + moves).flatMap(\.values).compactMap(\.stringValue)
        let ids = named + named.flatMap { id in world.standsFor.compactMap { $0[id] } }
        return !moment.waitingDeletions.isDisjoint(with: ids)
            || world.acts[moment.acts...].contains { $0.isDelete && ids.contains($0.entityId) }
    }

    /// Whether a record is not there, or somebody has made it anew or moved it away from a parent, or made a record here that
    /// has turned out to be it or the one that it belongs to.
    private func isMade(_ id: String, _ fields: Fields?, _ device: SimulatedDevice, _ world: World) -> Bool {
        guard let fields else { return true }
        let ids = [id] + fields.values.compactMap(\.stringValue)
        return world.acts[actsBefore...].contains { $0.isCreate && $0.entityId == id }
            || world.acts[actsBefore...].contains { $0.entityId == id && $0.fields?["event_type_id"] != nil }
            || world.standsFor[device.index].values.contains { ids.contains($0) }
    }

    private static func records(of world: World) throws -> Records {
        func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [String: Fields] {
            let records = try world.server.all(type).map { ($0.id, try WireCoding.fields(of: $0.entity)) }
            return Dictionary(records, uniquingKeysWith: { $1 })
        }
        return try EntitySchema.trendy.types.reduce(into: [:]) { $0[$1.entityType] = try all($1) }
    }

    private static func records(on device: SimulatedDevice) throws -> Records {
        func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [String: Fields] {
            let records = try device.reader().fetch(type, where: nil).map {
                ($0.id, try WireCoding.fields(of: $0.entity))
            }
            return Dictionary(records, uniquingKeysWith: { $1 })
        }
        return try EntitySchema.trendy.types.reduce(into: [:]) { $0[$1.entityType] = try all($1) }
    }
}

extension Act {
    /// Whether it gives a field a value, or names a record that has turned out to be the one that the value names.
    fileprivate func says(_ value: JSONValue, of path: FieldPath, _ world: World) -> Bool {
        guard let fields, fields.names(path) else { return false }
        let twin = fields[path].stringValue.flatMap { world.standsFor[device][$0] }
        return fields[path] == value || twin.map(JSONValue.string) == value
    }
}
