import TrendyDomain

/// Promise 1: once a write has returned, the record and its mutation are on disk.
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
        } else if !isThere {
            world.report(promise, "\(act.entityId) was written and is not on disk")
        }
    }

    private func exists<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ store: any DataStoreProtocol
    ) throws -> Bool {
        try store.find(type, id: id) != nil
    }
}
