import Foundation
import TrendyDomain

/// Writes what a person does: the record and its mutation, in one unit of work that the caller saves.
struct LocalWriter {
    let store: any DataStoreProtocol
    let schema: EntitySchema
    let wallClock: any WallClock
    let identifiers: any IdentifierGenerator
    let changes = LocalChanges()

    /// Puts a new record in and queues its creation.
    ///
    /// - Parameter former: The version that was here before, where it comes back.
    @discardableResult
    func create<Entity: SyncEntity>(_ entity: Entity, over former: Entity? = nil) throws -> PendingMutation {
        try demandKnown(Entity.entityType)
        try validate(entity, over: former)
        return try insert(entity)
    }

    /// Puts a new record in that was looked at already, and queues its creation.
    @discardableResult
    func insert<Entity: SyncEntity>(_ entity: Entity) throws -> PendingMutation {
        try store.begin()
        guard try store.find(Entity.self, id: entity.id) == nil else {
            throw SyncEngineError.alreadyExists(entityType: Entity.entityType, id: entity.id)
        }
        try store.upsert(LocalRecord(entity))
        changes.add(.created(entity))
        let create = try append(.create, Entity.entityType, entity.id, payload: encoded(entity))
        try noteOrigin(of: create)
        return create
    }

    /// Asks the next sync to hear what others say before it sends a new record that they may have as well: one that was
    /// not made here just now, and is put back or imported.
    func noteOrigin(of create: PendingMutation) throws {
        if create.isFreshlyMade { return }
        try store.setMetadata(MetadataKey.pullFirst, String(wallClock.now().milliseconds))
    }

    /// Changes a record and queues the changed fields; nil where nothing differs.
    @discardableResult
    func update<Entity: SyncEntity>(_ entity: Entity) throws -> PendingMutation? {
        try demandKnown(Entity.entityType)
        try store.begin()
        guard var record = try store.find(Entity.self, id: entity.id) else {
            throw SyncEngineError.notFound(entityType: Entity.entityType, id: entity.id)
        }
        try validate(entity, over: record.entity)
        let patch = try Patch(from: record.entity, to: entity)
        if patch.isEmpty { return nil }
        let base = try patch.values(in: record.entity)
        changes.add(.updated(record.entity, to: entity))
        record.entity = entity
        record.syncStatus = .pending
        try store.upsert(record)
        return try queueUpdate(patch, base: base, id: entity.id)
    }

    /// Deletes a record and queues the deletion; its children go or are cleared by the schema's rules.
    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> PendingMutation {
        try demandKnown(Entity.entityType)
        try store.begin()
        guard let record = try store.find(type, id: id) else {
            throw SyncEngineError.notFound(entityType: Entity.entityType, id: id)
        }
        try store.delete(type, id: id)
        let mutation = try queueDelete(record)
        try ChildRules(writer: self).parentDeleted(Entity.entityType, id, by: mutation)
        changes.add(.deleted(record.entity))
        return mutation
    }

    /// Refuses a kind that the engine was not told of: nothing of it would ever be sent.
    private func demandKnown(_ type: EntityType) throws {
        if schema.type(for: type) == nil { throw SyncEngineError.unknownEntityType(type) }
    }

    /// Refuses what a person must not write; see ``SyncEntity/validate(over:isHere:)``.
    func validate<Entity: SyncEntity>(_ entity: Entity, over former: Entity?) throws {
        try entity.validate(over: former) { reference, id in
            guard let type = schema.type(for: reference.entityType) else { return false }
            // What is here now is here until the save.
            try store.begin()
            return try isHere(type, id)
        }
    }

    private func isHere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try store.find(type, id: id) != nil
    }

    // MARK: Queue

    func queueUpdate<Entity: SyncEntity>(
        _ patch: Patch<Entity>, base: [String: JSONValue], id: String
    ) throws -> PendingMutation {
        let last = try store.openMutations(Entity.entityType, id).last
        let payload = try encoded(patch)
        guard case .merge(var target) = try Coalescing.update(patch, base: base, after: last),
            try !isOvertakenRename(patch, after: target)
        else {
            return try append(.update, Entity.entityType, id, payload: payload, base: encoded(base))
        }
        if target.state == .queued { target.settledAt = nil }
        try store.updateMutation(target)
        // One that waits for the person goes on waiting, and nothing of this is sent.
        if target.state.name == .parked { try store.setSyncStatus(Entity.self, id: id, .failed) }
        try forgetClearing(of: Set(patch.changes.keys), in: target, Entity.self)
        return try append(.update, Entity.entityType, id, payload: nil, state: .merged(into: target.id))
    }

    /// Whether a record gets a new natural key after others got theirs, so that the order counts: two that swap their
    /// names by way of a third would otherwise refuse each other.
    private func isOvertakenRename<Entity: SyncEntity>(_ patch: Patch<Entity>, after last: PendingMutation) throws
        -> Bool
    {
        guard last.operation == .update, last.state == .queued,
            Entity.naturalKey.contains(where: { patch.changes[$0] != nil })
        else { return false }
        let later = MutationQuery(
            states: [.queued, .sending], entityType: Entity.entityType, operations: [.update], afterId: last.id)
        return try store.fetchMutations(later).contains { other in
            let changes = try? other.patch(of: Entity.self).changes
            return Entity.naturalKey.contains { changes?[$0] != nil }
        }
    }

    /// Notes that the person has said what references of a record are to hold: no deletion that is dropped later puts
    /// others back into its mutation.
    ///
    /// - Returns: The references that a deletion had taken out of the mutation.
    @discardableResult
    func forgetClearing<Entity: SyncEntity>(
        of fields: Set<String>, in mutation: PendingMutation, _ type: Entity.Type
    ) throws -> Set<String> {
        var forgotten: Set<String> = []
        for reference in Entity.parents where fields.contains(reference.field) {
            let deletions = MutationQuery(
                states: [.queued, .parked], entityType: reference.entityType, operations: [.delete])
            for var deletion in try store.fetchMutations(deletions) where deletion.payload != nil {
                var references = ClearedReferences(of: deletion)
                guard references.remove(mutation, reference.field) else { continue }
                forgotten.insert(reference.field)
                deletion.payload = try encoded(references)
                try store.updateMutation(deletion)
            }
        }
        return forgotten
    }

    /// Queues the deletion of a record; the version that was deleted becomes the mutation's base.
    func queueDelete<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws -> PendingMutation {
        let type = Entity.entityType
        let base = try encoded(Remote(record.entity, server: record.server))
        let deletion = Coalescing.delete(over: try store.openMutations(type, record.id))
        let isNeeded = try deletion.isNeeded || deletion.superseded.contains { try mayHaveFormerLife($0, Entity.self) }
        let creation = deletion.superseded.last { $0.operation == .create }
        let state = isNeeded ? .queued : MutationState.merged(into: creation?.id)
        let mutation = try append(.delete, type, record.id, payload: nil, base: base, state: state)
        for earlier in deletion.superseded { try settle(earlier, .merged(into: mutation.id)) }
        return mutation
    }

    /// Whether a create may make anew what the server still has, or the feed still shows: the record may have gone here
    /// with a parent, whose deletion has not been taken, and may never be, or has not been heard of. Which parent it had
    /// then nobody knows who has moved it since.
    private func mayHaveFormerLife<Entity: SyncEntity>(_ create: PendingMutation, _ type: Entity.Type) throws -> Bool {
        guard create.operation == .create else { return false }
        if try isDeletionGivenUp(before: create) { return true }
        return try type.parents.contains { reference in
            guard reference.onDelete == .cascade else { return false }
            let deletions = MutationQuery(
                states: [.queued, .sending, .parked, .accepted], entityType: reference.entityType,
                operations: [.delete])
            return try store.fetchMutations(deletions).contains { deletion in
                deletion.id < create.id && (deletion.state != .accepted || deletion.answer?.awaitsEcho == true)
            }
        }
    }

    /// Whether the record was deleted before a create, and that deletion given up: then the server still has it.
    private func isDeletionGivenUp(before create: PendingMutation) throws -> Bool {
        let deletions = MutationQuery(
            states: [.dropped], entityType: create.entityType, operations: [.delete], entityId: create.entityId)
        return try store.fetchMutations(deletions).contains { $0.id < create.id }
    }

    func settle(_ mutation: PendingMutation, _ state: MutationState) throws {
        var settled = mutation
        settled.state = state
        settled.settledAt = wallClock.now()
        try store.updateMutation(settled)
    }

    private func append(
        _ operation: MutationOperation, _ entityType: EntityType, _ id: String, payload: Data?, base: Data? = nil,
        state: MutationState = .queued
    ) throws -> PendingMutation {
        let now = wallClock.now()
        return try store.insertMutation(
            PendingMutation(
                clientRequestId: identifiers.makeId(), entityType: entityType, operation: operation, entityId: id,
                payload: payload, base: base, createdAt: now, state: state, settledAt: state == .queued ? nil : now))
    }
}
