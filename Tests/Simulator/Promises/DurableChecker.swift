import TrendyDomain

/// Promise 1: once a write has returned, the record and its mutation are on disk.
final class DurableChecker: PromiseChecker {
    let promise = Promise.durable

    func wrote(_ act: Act, in world: World) throws {
        let device = world.devices[act.device]
        let store = try device.reader()
        let isThere = try store.shows(act.entityType, act.entityId)
        if try store.findMutation(id: act.mutationId) == nil, try !isPointless(act, store) {
            return world.report(promise, "\(act.entityType) \(act.entityId) was written without a mutation on disk")
        }
        if act.isDelete {
            if isThere { world.report(promise, "\(act.entityId) was deleted and is on disk still") }
        } else if !isThere, try store.openMutations(act.entityType, ids: [act.entityId]).last?.operation != .delete {
            world.report(promise, "\(act.entityId) was written and is not on disk")
        }
    }

    /// Whether there is nothing to tell the server: it has never had what was deleted, or hears of its deletion already.
    private func isPointless(_ act: Act, _ store: any DataStoreProtocol) throws -> Bool {
        guard act.isDelete, act.mutationId == 0 else { return false }
        if let last = try store.openMutations(act.entityType, ids: [act.entityId]).last {
            return last.operation == .delete
        }
        return try store.bases(act.entityType, ids: [act.entityId])[act.entityId]?.isDeleted ?? true
    }
}
