import Foundation
import TrendyDomain

/// Writes down what became of a mutation, in a unit of work that the caller saves.
struct MutationSettler {
    let applier: RemoteApplier
    let identityMerger: IdentityMerger
    /// True while a bootstrap waits to be finished.
    let isStaging: Bool

    var store: any DataStoreProtocol { applier.store }

    /// The server has taken a create or an update, and answered with the record.
    func accept<Entity: SyncEntity>(_ mutation: PendingMutation, _ remote: Remote<Entity>) throws {
        try settle(mutation, remote: remote, state: .accepted)
    }

    /// The server has taken a deletion.
    func acceptDeletion(_ mutation: PendingMutation) throws {
        var accepted = mutation
        accepted.answer = ServerAnswer(entityId: mutation.entityId, awaitsEcho: true)
        try update(accepted, .accepted)
        try EchoWatch(store: store).begin(accepted)
    }

    /// The server has an equal record already: this one stands for it from now on.
    func mergeIntoExisting<Entity: SyncEntity>(_ mutation: PendingMutation, _ remote: Remote<Entity>) throws {
        try settle(mutation, remote: remote, state: .merged(into: nil))
    }

    /// What it says is in another mutation of its record that goes in its place.
    func cover(_ mutation: PendingMutation, by other: PendingMutation) throws {
        try update(mutation, .merged(into: other.id))
        try forgetBlame(mutation)
    }

    /// Settles a create whose record is gone on the server, where its deletion has left it open here: the record is not
    /// here either, or another create that waits for the person says what it is. It would be looked for without end.
    func letGo(ofMissing create: PendingMutation) throws {
        guard let left = try store.findMutation(id: create.id), left.state.isUnsent else { return }
        try update(left, .merged(into: nil))
        try forgetBlame(left)
    }

    /// The server will not take it as it is: it waits for the person, and its record stays.
    ///
    /// Where the record has been deleted here since, there is nothing left to decide: the deletion covers it.
    func park<Entity: SyncEntity>(_ mutation: PendingMutation, _ reason: ParkReason, type: Entity.Type) throws {
        if let deletion = try deletion(after: mutation) { return try update(mutation, .merged(into: deletion.id)) }
        var parked = mutation
        parked.lastError = reason.message
        parked.lastAttemptAt = applier.wallClock.now()
        try update(parked, .parked(reason))
        try store.setSyncStatus(type, id: mutation.entityId, .failed)
        try forgetBlame(mutation)
    }

    /// The record of an update is gone on the server: it was deleted elsewhere, or by a deletion that waits here.
    func recordIsGone<Entity: SyncEntity>(_ mutation: PendingMutation, type: Entity.Type) throws {
        let deletion = try deletion(after: mutation)
        // Where it was deleted here since, what is here by now was made anew.
        if try deletion != nil || store.find(type, id: mutation.entityId) == nil {
            return try update(mutation, .merged(into: deletion?.id))
        }
        // The answer to a request says it before the feed does, which may have more to say of its children first.
        try applier.delete(type, id: mutation.entityId, feedWillTell: true)
    }

    func deletion(after mutation: PendingMutation) throws -> PendingMutation? {
        // One that was taken back covers nothing.
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: mutation.entityType, operations: [.delete],
            entityId: mutation.entityId, afterId: mutation.id)
        return try store.fetchMutations(query).first
    }

    /// It was sent, and nothing settles what became of it.
    func recordAttempt(_ mutation: PendingMutation, error: String) throws {
        guard var attempted = try store.findMutation(id: mutation.id), attempted.state.isUnsent else { return }
        // A look that failed is no attempt of what never left: it is looked for until that succeeds.
        if !attempted.isForeign { attempted.lastAttemptAt = applier.wallClock.now() }
        attempted.attempts += 1
        attempted.lastError = error
        try store.updateMutation(attempted)
    }

    private func settle<Entity: SyncEntity>(
        _ mutation: PendingMutation, remote: Remote<Entity>, state: MutationState
    ) throws {
        let newer = try applier.newerVersion(than: remote)
        var settled = mutation
        // Where something newer is known, the feed has passed what is told here.
        settled.answer = ServerAnswer(
            entityId: remote.id, updatedAt: remote.server.updatedAt,
            awaitsEcho: mutation.operation == .update && newer == nil)
        try settleOthers(than: mutation, Entity.self)
        if mutation.operation == .create { settled.payload = nil }
        try update(settled, state)
        if settled.answer?.awaitsEcho == true { try EchoWatch(store: store).begin(settled) }
        try forgetBlame(mutation)
        if remote.id != mutation.entityId {
            // What others had put beneath a record that is made anew went with its predecessor, and moves nowhere.
            if mutation.operation == .create, try !applier.isFirst(mutation) {
                _ = try applier.removeSyncedChildren(Entity.entityType, mutation.entityId)
            }
            try identityMerger.merge(Entity.self, id: mutation.entityId, into: remote.id)
        }
        try applier.upsert(newer ?? remote, answering: mutation)
        if isStaging { try stage(remote) }
    }

    /// A bootstrap that was cut off has listed the record as it was before; or after, where the answer is repeated.
    private func stage<Entity: SyncEntity>(_ remote: Remote<Entity>) throws {
        if let listed = try store.findStaged(Entity.self, id: remote.id), listed.server.isNewer(than: remote.server) {
            return
        }
        if try applier.requiredParents(of: remote.entity).contains(where: listingMissed) {
            // It was made after its kind was listed: what is staged is out of date, and everything is listed again.
            try store.demandFullResync()
            return try store.setMetadata(MetadataKey.bootstrap, nil)
        }
        try store.stage([remote])
        try store.putDocument(StagedByPush(remote))
    }

    /// Whether the bootstrap has listed a kind without showing this record of it.
    private func listingMissed(_ key: RecordKey) throws -> Bool {
        guard let progress = try store.value(BootstrapProgress.self, for: MetadataKey.bootstrap),
            progress.finished.contains(key.entityType), let type = applier.schema.type(for: key.entityType)
        else { return false }
        return try !isStaged(type, key.entityId)
    }

    private func isStaged<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try store.findStaged(type, id: id) != nil
    }

    func update(_ mutation: PendingMutation, _ state: MutationState) throws {
        var settled = mutation
        settled.state = state
        settled.settledAt = applier.wallClock.now()
        settled.batchKey = nil
        try store.updateMutation(settled)
    }

    func forgetBlame(_ mutation: PendingMutation) throws {
        guard mutation.attempts > 0 else { return }
        try store.deleteDocument(Blame.self, id: Blame.id(of: mutation))
    }
}

extension SyncCycle {
    func settler(on store: any DataStoreProtocol) throws -> MutationSettler {
        MutationSettler(
            applier: applier(on: store),
            identityMerger: IdentityMerger(store: store, schema: schema, wallClock: wallClock),
            isStaging: try store.metadata(MetadataKey.bootstrap) != nil)
    }
}
