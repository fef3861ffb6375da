import TrendyDomain

/// Promise 6, for stores that are copied: what was deleted on one copy is not there in the end, also where it was deleted
/// before it was sent.
final class GivenUpChecker: PromiseChecker {
    let promise = Promise.noResurrection
    var followsStores: Bool { false }

    func healed(_ world: World) throws {
        guard world.copying.isReplaced else { return }
        let open = try Set(world.devices.flatMap { try world.view(of: $0).open.map(\.entityId) })
        for (index, act) in world.acts.enumerated() where act.isDelete && !world.copying.lost.contains(index) {
            let id = act.entityId
            guard world.server.record(id) != nil, !open.contains(id), !world.remade.contains(id) else { continue }
            // Who passes over part of the feed may pass over the record, and nothing is done to one that cannot be read.
            if try world.skippers.contains(act.device) || isAside(id, world.devices[act.device], world) { continue }
            // What was made here anew, before the deletion went, has turned out to be this record.
            if world.standsFor.contains(where: { $0.values.contains(id) }) { continue }
            if world.acts.dropFirst(index + 1).contains(where: { $0.entityId == id && $0.isCreate }) { continue }
            world.report(promise, "\(act.entityType) \(id) was deleted on device \(act.device) and is on the server")
        }
    }

    private func isAside(_ id: String, _ device: SimulatedDevice, _ world: World) throws -> Bool {
        try world.view(of: device).aside().contains { $0.entry.entityId == id }
    }
}
