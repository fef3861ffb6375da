import TrendyDomain

/// Promise 3, for stores that are copied: what somebody kept by taking a deletion back is on the server or open, or a person
/// is asked about it, also where another copy of the store has sent the deletion.
final class TakenBackChecker: PromiseChecker {
    let promise = Promise.nothingVanishes
    var followsStores: Bool { false }

    func healed(_ world: World) throws {
        guard world.copying.isReplaced else { return }
        let views = try world.devices.map { try world.view(of: $0) }
        let open = Set(views.flatMap { $0.open.map(\.entityId) })
        let listed = try Set(views.flatMap { try $0.conflicts().map(\.entityId) })
        for kept in world.takenBack where !world.skippers.contains(kept.device) && wasSent(kept, world) {
            for id in kept.ids
            where world.server.record(id) == nil && !open.contains(id) && !listed.contains(id)
                && !isDeleted(id, kept, world)
            {
                world.report(promise, "\(id), whose deletion was taken back on device \(kept.device), is gone silently")
            }
        }
    }

    /// Whether another copy had sent the deletion already. One that is sent later is an ordinary deletion.
    private func wasSent(_ kept: TakenBack, _ world: World) -> Bool {
        world.server.effects[..<kept.serverHadDone].contains {
            $0.operation == .delete && kept.ids.contains($0.landed)
        }
    }

    /// Whether somebody has deleted the record or its type after that, or on another device.
    private func isDeleted(_ id: String, _ kept: TakenBack, _ world: World) -> Bool {
        world.acts.enumerated().contains { index, act in
            act.isDelete && (act.entityId == id || kept.ids.contains(act.entityId))
                && (act.device != kept.device || index >= kept.actsBefore)
        }
    }
}

/// A deletion that a person has taken back before it was sent.
struct TakenBack {
    var device: Int
    var ids: Set<String>
    /// How many things people had done.
    var actsBefore: Int
    /// How many things the server had done.
    var serverHadDone: Int
}
