import TrendyDomain

/// Promise 1: once a write has returned, the record and its mutation are on disk.
///
/// A record that went with a parent whose deletion waits is not there until that deletion is given up; what is written of
/// it meanwhile, where a decision about something else concerns it, is its mutation alone.
final class DurableChecker: PromiseChecker {
    let promise = Promise.durable

    func wrote(_ act: Act, in world: World) throws {
        let device = world.devices[act.device]
        let store = try device.reader()
        guard try store.findMutation(id: act.mutationId) != nil else {
            return world.report(promise, "\(act.entityType) \(act.entityId) was written without a mutation on disk")
        }
        guard let type = device.schema.type(for: act.entityType) else { return }
        let isThere = try exists(type, act.entityId, store)
        if case .delete = act.change {
            if isThere { world.report(promise, "\(act.entityId) was deleted and is on disk still") }
        } else if try !isThere && !(act.isUpdate && isAway(type, store)) {
            world.report(promise, "\(act.entityId) was written and is not on disk")
        }
    }

    /// Whether records of a kind may have gone with a parent whose deletion waits.
    private func isAway<Entity: SyncEntity>(_ type: Entity.Type, _ store: any DataStoreProtocol) throws -> Bool {
        try type.parents.contains { parent in
            let deletions = MutationQuery(
                states: [.queued, .parked], entityType: parent.entityType, operations: [.delete])
            return try parent.onDelete == .cascade && store.countMutations(deletions) > 0
        }
    }

    private func exists<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ store: any DataStoreProtocol
    ) throws -> Bool {
        try store.find(type, id: id) != nil
    }
}

extension Act {
    fileprivate var isUpdate: Bool {
        if case .update = change { true } else { false }
    }
}
