import Foundation
import TrendyData
import TrendyDomain
import TrendySync

/// Promise 9: readers never see fewer records than are true, and a resync brings parents before their children.
final class BootstrapChecker: PromiseChecker {
    let promise = Promise.bootstrap
    /// What readers see, by device.
    private var shown: [Set<String>]
    /// Where the feed was when the resync began that is going on, by device. One that is begun anew keeps what the one
    /// before it has shown.
    private var starts: [Int64?]
    /// The request for a first page that has no answer yet, by device.
    private var waiting: [Int: Int] = [:]

    init(devices: Int) {
        shown = Array(repeating: [], count: devices)
        starts = Array(repeating: nil, count: devices)
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        guard exchange.isSync else { return }
        let request = try WireCoding.decode([String: JSONValue].self, from: exchange.request.body ?? Data())
        guard request["cursor"] ?? .null == .null else { return }
        let device = exchange.sender.device
        starts[device] = starts[device] ?? world.server.feed.latest
        // Until the answer comes, an earlier answer may still be applied.
        waiting[device] = exchange.id
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let device = exchange.sender.device
        if waiting[device] == exchange.id { waiting[device] = nil }
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for (kind, ids) in view.touched {
            let here = try view.store.standings(kind, ids: Array(ids))
            for id in ids {
                if here[id] != nil {
                    shown[device.index].insert(id)
                } else if shown[device.index].remove(id) != nil, !world.isActing {
                    try explain(kind, id, view, device, world)
                }
            }
        }
        // Who passes over part of the feed may get what belongs to something that he passed over.
        if !view.isResyncing {
            starts[device.index] = nil
        } else if let start = starts[device.index], waiting[device.index] == nil, !world.skippers.contains(device.index)
        {
            try checkParents(view, device, world, since: start)
        }
    }

    /// A record is not shown any more: it was deleted, or its parent was, or another stands for it.
    private func explain(
        _ kind: EntityType, _ id: String, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws {
        let versions = world.server.feed.versions[id] ?? []
        if versions.isEmpty || versions.contains(where: { $0.operation == .delete }) { return }
        let base = try view.store.bases(kind, ids: [id])[id]?.document ?? versions.last?.fields ?? [:]
        let parents = [base["event_type_id"], world.server.record(id)?["event_type_id"]].compactMap { $0?.stringValue }
        // A parent that is deleted here and made anew takes along what others have put beneath the former one.
        let isGone = try parents.contains { parent in
            try !view.store.shows(.eventType, parent)
                || view.openByRecord[parent]?.contains { $0.operation == .delete } == true
        }
        if isGone { return }
        if world.standsFor[device.index][id] != nil || world.deletedHere[device.index][id] != nil { return }
        // Who passes over part of the feed may not know that a record has another parent.
        if world.skippers.contains(device.index) { return }
        world.report(promise, "device \(device.index) does not show \(kind) \(id) any more, which nobody has deleted")
    }

    private func checkParents(
        _ view: DeviceView, _ device: SimulatedDevice, _ world: World, since start: Int64
    ) throws {
        guard let events = view.touched[.event] else { return }
        // A type that could not be read is put aside, and its events are here before it.
        if try !view.aside().isEmpty { return }
        // What is kept aside because it cannot be sent may have lost its type.
        for (id, record) in try view.store.fetch(Event.self, ids: Array(events)) where record.syncStatus == .synced {
            if try view.store.shows(.eventType, record.entity.eventTypeId) { continue }
            // One that has gone since takes the event along later, and one that was made since comes behind it.
            let versions = world.server.feed.versions[record.entity.eventTypeId] ?? []
            let made = versions.last { $0.operation == .create }
            if versions.last?.fields == nil || made?.id ?? 0 > start { continue }
            world.report(promise, "device \(device.index) shows event \(id) without its type")
        }
    }
}
