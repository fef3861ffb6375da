import Foundation
import TrendyData
import TrendyDomain
import TrendySync

/// Promise 9: readers see the old records or the new ones; a crash costs one page of work.
final class BootstrapChecker: PromiseChecker {
    let promise = Promise.bootstrap
    private var counts: [Int]
    /// How many records of each kind were staged, by device.
    private var staged: [[EntityType: Int]]

    private struct Progress: Decodable {
        var finished: Set<EntityType>
    }

    init(devices: Int) {
        counts = Array(repeating: 0, count: devices)
        staged = Array(repeating: [:], count: devices)
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let count = try shown(device.schema.types, view.store)
        if view.isBootstrapping, count == 0, counts[device.index] > 3, !world.isActing {
            world.report(promise, "device \(device.index) shows nothing while it fetches everything anew")
        }
        // Who passes over part of the feed may get what belongs to something that he passed over.
        if view.isBootstrapping, !world.skippers.contains(device.index) { try checkParents(view, device, world) }
        counts[device.index] = count
        try checkTakeover(view, device, world)
    }

    /// What is staged takes the place of the old records in one save, which ends the bootstrap.
    private func checkTakeover(_ view: DeviceView, _ device: SimulatedDevice, _ world: World) throws {
        guard let text = try view.store.metadata(MetadataKey.bootstrap) else {
            staged[device.index] = [:]
            return
        }
        let finished = try WireCoding.decode(Progress.self, from: Data(text.utf8)).finished
        for type in device.schema.types where finished.contains(type.entityType) {
            let (count, kind) = (try stagedCount(type, view.store), type.entityType)
            // One may be deleted here meanwhile.
            if count == 0, staged[device.index][kind, default: 0] > 1 {
                world.report(promise, "device \(device.index) has put its \(kind) records in place before the others")
            }
            staged[device.index][kind] = count
        }
    }

    private func stagedCount<Entity: SyncEntity>(_ type: Entity.Type, _ store: any DataStoreProtocol) throws -> Int {
        try store.stagedIds(type).count
    }

    /// How many records there are, as far as it matters: none, some, or more than three.
    private func shown(_ types: [any SyncEntity.Type], _ store: any DataStoreProtocol) throws -> Int {
        var count = 0
        for type in types where count <= 3 { count += try self.count(type, store) }
        return count
    }

    private func checkParents(_ view: DeviceView, _ device: SimulatedDevice, _ world: World) throws {
        // A type that could not be read is put aside, and its events are here before it.
        if try view.store.countDocuments(QuarantinedChange.self) > 0 { return }
        let types = Set(try view.store.fetch(EventType.self, where: nil).map(\.id))
        // What is kept aside because it cannot be sent may have lost its type.
        for event in try view.store.fetch(Event.self, where: nil)
        where event.syncStatus == .synced && !types.contains(event.entity.eventTypeId)
            && !isOwnWaiter(event.entity, device, world)
        {
            world.report(promise, "device \(device.index) shows event \(event.id) without its type")
        }
    }

    /// Whether an event waited here beneath a type that was deleted elsewhere, because a person had put it there. Where
    /// others make the type anew, the server may take the event before the type is back here.
    private func isOwnWaiter(_ event: Event, _ device: SimulatedDevice, _ world: World) -> Bool {
        let type = event.eventTypeId
        guard world.remade.contains(type) else { return false }
        return world.acts.contains { act in
            guard act.device == device.index, act.entityId == event.id else { return false }
            switch act.change {
            case .create(let fields), .update(let fields): return fields["event_type_id"] == .string(type)
            case .delete: return false
            }
        }
    }

    private func count<Entity: SyncEntity>(_ type: Entity.Type, _ store: any DataStoreProtocol) throws -> Int {
        try store.count(type)
    }
}
