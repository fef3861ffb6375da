import Foundation
import TrendyDomain

/// What the actions on the ledger share. They work in one unit of work that the caller saves.
struct LedgerEditor {
    let writer: LocalWriter
    /// Tells whether a sync is running.
    var owner = LeaseOwner.process

    var store: any DataStoreProtocol { writer.store }
    var schema: EntitySchema { writer.schema }

    func mutation(_ id: Int64) throws -> PendingMutation {
        guard let found = try store.findMutation(id: id) else { throw SyncEngineError.unknownMutation(id) }
        return found
    }

    /// A mutation that waits, in the queue or parked: one that a person can still do something about.
    func openMutation(_ id: Int64) throws -> PendingMutation {
        let mutation = try mutation(id)
        switch mutation.state {
        case .queued, .parked: return mutation
        case .sending: throw LedgerError.sending(id)
        case .accepted, .merged, .dropped: throw LedgerError.notOpen(id, mutation.state.name)
        }
    }

    /// A mutation that can be given up: one that waits, or that went without an answer and is under way no more.
    ///
    /// The latter is parked as one that may have arrived: giving it up tells the server so.
    func droppableMutation(_ id: Int64) throws -> PendingMutation {
        let mutation = try mutation(id)
        guard mutation.state == .sending, try !isSyncing() else { return try openMutation(id) }
        let parked = mutation.cleared(because: "it went without an answer", at: writer.wallClock.now())
        try store.updateMutation(parked)
        return parked
    }

    private func isSyncing() throws -> Bool {
        try owner.holder(of: store.metadata(MetadataKey.lease), at: writer.wallClock.now()) != nil
    }

    func reopen(_ mutation: PendingMutation) throws {
        var reopened = mutation
        reopened.state = .queued
        reopened.settledAt = nil
        try store.updateMutation(reopened)
        if reopened.operation == .create { try writer.noteOrigin(of: reopened) }
    }

    /// Queues a mutation that takes the place of others: a key of its own, because a server binds a key to a body.
    ///
    /// - Parameter attempts: Those of the mutation that it replaces, where that may have arrived.
    func queue<Entity: SyncEntity>(
        _ operation: MutationOperation, _ type: Entity.Type, _ id: String, payload: Data, base: Data? = nil,
        attempts: Int = 0
    ) throws -> PendingMutation {
        let mutation = try store.insertMutation(
            PendingMutation(
                clientRequestId: writer.identifiers.makeId(), entityType: Entity.entityType, operation: operation,
                entityId: id, payload: payload, base: base, createdAt: writer.wallClock.now(), attempts: attempts))
        if operation == .create { try writer.noteOrigin(of: mutation) }
        return mutation
    }

    /// Lets the next updates of the same fields begin from the former values. Answers the values of those
    /// fields that no later update sets.
    func handOn<Entity: SyncEntity>(
        _ former: [String: JSONValue], to later: [PendingMutation], of type: Entity.Type
    ) throws -> [String: JSONValue] {
        var left = former
        for mutation in later where mutation.operation == .update {
            guard let patch = try? mutation.patch(of: type), var base = try? mutation.baseValues() else { continue }
            let taken = left.filter { patch.changes[$0.key] != nil }
            if taken.isEmpty { continue }
            base.merge(taken) { $1 }
            for field in taken.keys { left[field] = nil }
            var moved = mutation
            moved.base = try encoded(base)
            try store.updateMutation(moved)
        }
        return left
    }

    /// Says where a record stands by the mutations that it has left.
    func refreshStatus<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws {
        let open = try store.openMutations(Entity.entityType, id)
        let isParked = open.contains { $0.state.name == .parked }
        try store.setSyncStatus(type, id: id, isParked ? .failed : open.isEmpty ? .synced : .pending)
    }

    /// Asks the next sync to fetch everything anew.
    func askFullResync() throws {
        try store.demandFullResync()
        // A listing that was cut off may have passed what is missing here.
        try store.setMetadata(MetadataKey.bootstrap, nil)
    }

    /// Takes out the conflicts of a record that meet the condition.
    func removeConflicts(
        of entityType: EntityType, _ id: String, where condition: (SyncConflict) -> Bool = { _ in true }
    ) throws {
        for conflict in try store.fetchDocuments(SyncConflict.self)
        where conflict.entityType == entityType && conflict.entityId == id && condition(conflict) {
            try store.deleteDocument(SyncConflict.self, id: conflict.id)
        }
    }

    /// The record with those of its parents that are here; one whose parent is gone cannot be without it,
    /// or loses the reference, as its kind says.
    func withLivingParents<Entity: SyncEntity>(_ entity: Entity) throws -> Entity {
        if Entity.parents.isEmpty { return entity }
        let fields = try StringFields.of(entity)
        var cleared = Patch<Entity>()
        for reference in Entity.parents {
            guard let parentId = fields[reference.field], let type = schema.type(for: reference.entityType),
                try !isAlive(type, parentId)
            else { continue }
            switch reference.onDelete {
            case .clear: cleared.changes[reference.field] = .null
            case .cascade:
                throw LedgerError.parentGone(
                    entityType: Entity.entityType, id: entity.id, parent: reference.entityType, parentId: parentId)
            }
        }
        return cleared.isEmpty ? entity : try cleared.applied(to: entity)
    }

    func isHere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try store.find(type, id: id) != nil
    }

    /// Whether a record is here, and not only kept aside after its deletion elsewhere.
    func isAlive<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        guard try isHere(type, id) else { return false }
        return try !store.openMutations(Entity.entityType, id).contains { $0.isParkedAsDeletedElsewhere }
    }
}

extension PendingMutation {
    /// The update without some of its fields; nil where it has no others.
    func without<Entity: SyncEntity>(_ fields: Set<String>, of type: Entity.Type) throws -> PendingMutation? {
        var patch = try patch(of: type)
        patch.changes = patch.changes.filter { !fields.contains($0.key) }
        if patch.isEmpty { return nil }
        var left = self
        left.payload = try encoded(patch)
        left.base = try encoded(baseValues().filter { !fields.contains($0.key) })
        return left
    }

    /// The mutation as it is parked by a person, whatever became of it on the server.
    func cleared(because message: String, at now: Timestamp) -> PendingMutation {
        var cleared = self
        // One that is under way may have arrived.
        if state == .sending {
            cleared.attempts += 1
            if !isForeign { cleared.lastAttemptAt = lastAttemptAt ?? now }
        }
        cleared.state = .parked(ParkReason(code: .cleared, message: message))
        cleared.settledAt = now
        cleared.batchKey = nil
        return cleared
    }

    var isBlamed: Bool {
        if case .parked(let reason) = state { reason.code == .blamed } else { false }
    }

    var isParkedAsDeletedElsewhere: Bool {
        if case .parked(let reason) = state { reason.code == .deletedElsewhere } else { false }
    }
}
