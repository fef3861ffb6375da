import TrendyDomain

/// Promise 6: what was deleted does not come back.
final class NoResurrectionChecker: PromiseChecker {
    let promise = Promise.noResurrection

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for (id, kind) in world.deletedHere[device.index].sorted(by: { $0.key < $1.key }) {
            if let type = device.schema.type(for: kind), try exists(type, id, view.store) {
                if try !standsForAnother(kind, id, view.store), try !isMadeAnew(kind, id, device, view.store, world) {
                    world.report(promise, "\(id) was deleted on device \(device.index) and is back there")
                }
                world.deletedHere[device.index][id] = nil
            }
        }
    }

    /// On the server too: a stale edit must not make a record anew.
    func settled(_ world: World) throws {
        var deleted: Set<String> = []
        for entry in world.server.feed.entries.sorted(by: { $0.id < $1.id }) {
            // The place of a late one says nothing of when it was done: what it took along may have come before.
            if entry.operation == .delete {
                if !world.server.feed.late.contains(entry.id) { deleted.insert(entry.entityId) }
            } else if deleted.contains(entry.entityId), !world.remade.contains(entry.entityId),
                !world.server.feed.late.contains(entry.id)
            {
                world.report(promise, "\(entry.entityId) was deleted on the server and is back by change \(entry.id)")
            }
        }
    }

    /// Whether somebody has brought the record back, and the server heard of that after the deletion that was made here.
    private func isMadeAnew(
        _ kind: EntityType, _ id: String, _ device: SimulatedDevice, _ store: any DataStoreProtocol, _ world: World
    ) throws -> Bool {
        // One that took back what was made anew here never goes: the deletion before it does.
        let deletions = MutationQuery(
            states: [.queued, .sending, .parked, .accepted, .dropped], entityType: kind, operations: [.delete],
            entityId: id)
        guard world.remade.contains(id), let made = world.server.effects.last(where: { $0.made.contains(id) })
        else { return false }
        guard let deletion = try store.fetchMutations(deletions).last else {
            return try isBroughtBackElsewhere(kind, id, by: made, device, store, world)
        }
        let deleted = world.server.effects.last {
            $0.device == device.index && $0.operation == .delete && $0.key == deletion.clientRequestId
        }
        if let deleted { return deleted.sequence < made.sequence }
        // A deletion that found nothing has no effect: what it cannot have meant was made after it was asked for, or
        // was news to its device.
        guard deletion.state == .accepted,
            let act = world.acts.last(where: { $0.device == device.index && $0.mutationId == deletion.id })
        else { return deletion.state == .accepted }
        let wasNews = made.device != device.index && isAhead(id, of: act, world)
        return wasNews || made.sequence >= act.serverHadDone
    }

    /// Whether the only deletion from here took back what was to be made anew here, so that neither of them went: the
    /// record had been deleted elsewhere before, and somebody else brought it back after that, as was news here.
    private func isBroughtBackElsewhere(
        _ kind: EntityType, _ id: String, by made: ServerEffect, _ device: SimulatedDevice,
        _ store: any DataStoreProtocol, _ world: World
    ) throws -> Bool {
        let deletions = MutationQuery(states: [.merged], entityType: kind, operations: [.delete], entityId: id)
        guard made.device != device.index, let deletion = try store.fetchMutations(deletions).last,
            case .merged(let creation?) = deletion.state, creation < deletion.id,
            try store.findMutation(id: creation)?.operation == .create,
            let act = world.acts.last(where: { $0.device == device.index && $0.mutationId == deletion.id })
        else { return false }
        let isDeletedBefore = world.server.effects.contains { effect in
            effect.operation == .delete && effect.changed.contains(id)
                && effect.sequence < min(act.serverHadDone, made.sequence)
        }
        guard isDeletedBefore else { return false }
        return made.sequence >= act.serverHadDone || isAhead(id, of: act, world)
    }

    /// Whether the device had not read the feed as far as the record's last creation when a person acted.
    private func isAhead(_ id: String, of act: Act, _ world: World) -> Bool {
        let told = world.server.feed.entries.last { $0.entityId == id && $0.operation == .create }
        return told?.id ?? 0 > act.cursor
    }

    /// Whether a record is here because the server keeps under its id what was made here anew: a sample that was
    /// deleted and is logged again before the server heard of the deletion. That deletion never went.
    private func standsForAnother(_ kind: EntityType, _ id: String, _ store: any DataStoreProtocol) throws -> Bool {
        let deletions = MutationQuery(entityType: kind, operations: [.delete], entityId: id)
        guard try store.fetchMutations(deletions).last?.state == .merged(into: nil) else { return false }
        let creates = MutationQuery(states: [.accepted, .merged], entityType: kind, operations: [.create])
        return try store.fetchMutations(creates).contains { $0.entityId != id && $0.answer?.entityId == id }
    }

    private func exists<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ store: any DataStoreProtocol
    ) throws -> Bool {
        try store.find(type, id: id) != nil
    }
}
