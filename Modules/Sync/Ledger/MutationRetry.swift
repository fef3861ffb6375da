import Foundation
import TrendyDomain

/// Puts what is parked back into the queue.
struct MutationRetry {
    let ledger: LedgerEditor

    private var store: any DataStoreProtocol { ledger.store }

    func retry(_ id: Int64) throws {
        let mutation = try ledger.mutation(id)
        guard case .parked = mutation.state else { throw LedgerError.notParked(id, mutation.state.name) }
        if let deletion = try deletion(after: mutation) {
            // Sent again, it would make for a moment what was deleted here since.
            return try ledger.writer.settle(mutation, .merged(into: deletion.id))
        }
        let type = ledger.schema.type(for: mutation.entityType)
        if mutation.isParkedAsDeletedElsewhere, let type {
            return try putBack(type, mutation.entityId)
        }
        if mutation.isCreateRefusedForItsId, let type { return try giveNewId(type, to: mutation) }
        try ledger.reopen(mutation)
        if let type { try ledger.refreshStatus(type, mutation.entityId) }
    }

    /// Lets a create that the server refuses for its id go under another one, with everything that belongs to it.
    ///
    /// Servers refuse ids that are ahead of their clock: what was made while this device's clock was, would be refused
    /// for ever, and no person can edit an id.
    private func giveNewId<Entity: SyncEntity>(_ type: Entity.Type, to create: PendingMutation) throws {
        guard var record = try store.find(type, id: create.entityId) else {
            throw LedgerError.recordGone(entityType: Entity.entityType, id: create.entityId)
        }
        let open = try store.openMutations(Entity.entityType, create.entityId)
        if let sending = open.first(where: { $0.state == .sending }) { throw LedgerError.sending(sending.id) }
        let id = ledger.writer.identifiers.makeId()
        record.entity.id = id
        record.syncStatus = .pending
        try store.upsert(record)
        let renamed = try ledger.queue(.create, type, id, payload: encoded(record.entity))
        for mutation in open { try ledger.writer.settle(mutation, .merged(into: renamed.id)) }
        try IdentityMerger(store: store, schema: ledger.schema, wallClock: ledger.writer.wallClock)
            .merge(type, id: create.entityId, into: id)
    }

    /// The open deletion that covers a mutation, whatever became of that on the server.
    private func deletion(after mutation: PendingMutation) throws -> PendingMutation? {
        try store.openMutations(mutation.entityType, mutation.entityId)
            .last { $0.operation == .delete && $0.id > mutation.id }
    }

    /// Makes a record anew that was deleted elsewhere, as it stands here.
    ///
    /// What was queued about it was meant for the record that is gone: a new create takes its place.
    func putBack<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws {
        guard var record = try store.find(type, id: id) else {
            throw LedgerError.recordGone(entityType: Entity.entityType, id: id)
        }
        let open = try store.openMutations(Entity.entityType, id)
        if let sending = open.first(where: { $0.state == .sending }) { throw LedgerError.sending(sending.id) }
        record.entity = try ledger.withLivingParents(record.entity)
        record.server = ServerFields()
        record.syncStatus = .pending
        try store.upsert(record)
        let create = try ledger.queue(.create, type, id, payload: encoded(record.entity))
        for mutation in open { try ledger.writer.settle(mutation, .merged(into: create.id)) }
        // It was gone everywhere else.
        ledger.writer.changes.add(.created(record.entity))
        try ledger.removeConflicts(of: Entity.entityType, id) { $0.kind == .editedHereDeletedElsewhere }
    }
}

extension PendingMutation {
    /// Whether the server refuses the record that it makes for nothing but its id.
    fileprivate var isCreateRefusedForItsId: Bool {
        guard operation == .create, case .parked(let reason) = state, reason.code == .rejected else { return false }
        return !reason.fields.isEmpty && reason.fields.allSatisfy { $0.field == "id" }
    }
}
