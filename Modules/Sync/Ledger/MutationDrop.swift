import Foundation
import TrendyDomain

/// Gives a waiting mutation up: its record goes back to how the server has it.
final class MutationDrop {
    let ledger: LedgerEditor
    var summary = DropSummary()

    var store: any DataStoreProtocol { ledger.store }

    init(ledger: LedgerEditor) {
        self.ledger = ledger
    }

    func drop(_ id: Int64) throws -> DropSummary {
        let mutation = try ledger.droppableMutation(id)
        try markDropped(mutation)
        if let type = ledger.schema.type(for: mutation.entityType) { try undo(type, mutation) }
        if summary.asksFullResync { try ledger.askFullResync() }
        return summary
    }

    /// Drops everything about a record that was deleted elsewhere, so that it goes here too.
    func acceptDeletion<Entity: SyncEntity>(of type: Entity.Type, _ id: String) throws {
        try remove(type, id, serverFollows: true)
        if summary.asksFullResync { try ledger.askFullResync() }
    }

    /// Gives a deletion up that waits, so that its record is back in the version that another device has made of it.
    func takeBack<Entity: SyncEntity>(_ deletion: PendingMutation, of type: Entity.Type, as version: Remote<Entity>)
        throws
    {
        try markDropped(deletion)
        try undoDelete(type, deletion, as: version)
        if summary.asksFullResync { try ledger.askFullResync() }
    }

    func markDropped(_ mutation: PendingMutation) throws {
        try ledger.writer.settle(mutation, .dropped)
        summary.dropped.append(mutation.id)
    }

    private func undo<Entity: SyncEntity>(_ type: Entity.Type, _ mutation: PendingMutation) throws {
        switch mutation.operation {
        case .create: try undoCreate(type, mutation)
        case .update: try undoUpdate(type, mutation)
        case .delete: try undoDelete(type, mutation)
        }
    }

    // MARK: Create

    private func undoCreate<Entity: SyncEntity>(_ type: Entity.Type, _ create: PendingMutation) throws {
        let id = create.entityId
        guard let record = try store.find(type, id: id) else { return }
        if try goBack(record, without: create) { return }
        // What another device has made under that id is not this one's to delete.
        let isElsewhere = create.isForeign && record.server != ServerFields()
        let mayBeOnServer = Coalescing.mayHaveArrived(create) && !isElsewhere
        try remove(type, id, after: create.id, serverFollows: mayBeOnServer || create.isParkedAsDeletedElsewhere)
        if mayBeOnServer {
            _ = try ledger.writer.queueDelete(record)
            summary.queuesDeletion = true
        } else if record.server != ServerFields() {
            // Somebody else has made one under that id: what the server has of it is fetched.
            summary.asksFullResync = true
        }
    }

    /// Takes a record out that the server does not have, or will not have much longer, with what hangs on it.
    ///
    /// - Parameters:
    ///   - first: Only mutations after this one are about the record.
    ///   - serverFollows: Whether the server takes the children out by itself.
    func remove<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, after first: Int64 = 0, serverFollows: Bool
    ) throws {
        let open = try store.openMutations(Entity.entityType, id).filter { $0.id > first }
        for sending in open where sending.state == .sending {
            _ = try ledger.droppableMutation(sending.id)
            // Without that edit it may belong elsewhere on the server, and stay there.
            if sending.operation == .update { summary.asksFullResync = true }
        }
        if try store.delete(type, id: id) { summary.removed[Entity.entityType, default: 0] += 1 }
        for mutation in open { try markDropped(mutation) }
        try ledger.removeConflicts(of: Entity.entityType, id)
        for (child, reference) in ledger.schema.children(of: Entity.entityType) {
            try detach(child, reference, from: id, serverFollows: serverFollows)
        }
    }

    // MARK: Delete

    func undoDelete<Entity: SyncEntity>(
        _ type: Entity.Type, _ deletion: PendingMutation, as version: Remote<Entity>? = nil
    ) throws {
        try ledger.removeConflicts(of: Entity.entityType, deletion.entityId) { $0.kind == .deletedHereEditedElsewhere }
        // Its children went with it, and an edit made elsewhere since may be newer than what was kept.
        summary.asksFullResync = true
        guard try store.find(type, id: deletion.entityId) == nil, let last = try deletionToUndo(with: deletion)
        else { return }
        let deleted = last.base.flatMap { try? WireCoding.decode(Remote<Entity>.self, from: $0) }
        if let remote = version ?? deleted {
            let entity = try ledger.withLivingParents(remote.entity)
            try bringBack(LocalRecord(entity, server: remote.server, syncStatus: .synced))
            for (child, reference) in ledger.schema.children(of: Entity.entityType) {
                try takeBack(child, reference, with: deletion)
                if last.id != deletion.id { try takeBack(child, reference, with: last) }
                try restoreReferences(child, reference, clearedBy: deletion)
                try showReferences(child, reference, to: deletion.entityId)
            }
        }
        for swallowed in try store.fetchMutations(MutationQuery(states: [.merged])) {
            // The version that was chosen says what the record is.
            if version != nil, last.id != deletion.id, RecordKey(swallowed) == RecordKey(deletion) { continue }
            if swallowed.state == .merged(into: last.id) {
                try reopen(swallowed, isMadeAnew: last.id != deletion.id)
            } else if swallowed.state == .merged(into: deletion.id), try !isOfFormerLife(swallowed) {
                try reopen(swallowed, isMadeAnew: false)
            }
        }
        if let version { try layEdits(over: version) }
        try ledger.refreshStatus(type, deletion.entityId)
    }

    /// Lays every open edit of a record over the version of it that was chosen, from which they begin now: also one
    /// that was under way when the record was deleted, which no deletion swallows.
    func layEdits<Entity: SyncEntity>(over version: Remote<Entity>) throws {
        guard var record = try store.find(Entity.self, id: version.id) else { return }
        let open = try store.openMutations(Entity.entityType, version.id)
        let rebase = try Rebase(remote: ledger.withLivingParents(version.entity), edits: open)
        // Both sides are known to the person, who has chosen: there is no conflict to list.
        for mutation in rebase.rebased { try store.updateMutation(mutation) }
        record.entity = rebase.entity
        try store.upsert(record)
    }

    /// Whether the person has made the record anew since, or has deleted what was made anew: what came before then
    /// has no more to say.
    func isOfFormerLife(_ swallowed: PendingMutation) throws -> Bool {
        let later = MutationQuery(
            states: [.queued, .sending, .accepted, .parked, .merged], entityType: swallowed.entityType,
            operations: [.create, .delete], entityId: swallowed.entityId, afterId: swallowed.id)
        return try store.countMutations(later) > 0
    }

    /// The deletion that took the record out of the store as it was last: while this one waited, the record may have
    /// been made anew and deleted once more, which the server did not have to hear. Those are given up with it. Nil
    /// where the server has to hear of the last one.
    private func deletionToUndo(with deletion: PendingMutation) throws -> PendingMutation? {
        let query = MutationQuery(
            states: [.queued, .sending, .accepted, .parked, .merged], entityType: deletion.entityType,
            operations: [.delete], entityId: deletion.entityId, afterId: deletion.id)
        let later = try store.fetchMutations(query)
        guard later.allSatisfy({ $0.state.name == .merged }) else { return nil }
        for unheard in later { try markDropped(unheard) }
        return later.last ?? deletion
    }

    /// What the deletion had made pointless waits again.
    ///
    /// - Parameter isMadeAnew: Whether the server may have the record of a creation from before: then it is looked for,
    ///   because creating it again would undo what others have changed in it.
    private func reopen(_ swallowed: PendingMutation, isMadeAnew: Bool) throws {
        guard swallowed.operation != .delete, swallowed.payload != nil,
            let type = ledger.schema.type(for: swallowed.entityType)
        else { return }
        var reopened = swallowed
        if isMadeAnew, swallowed.operation == .create { reopened.attempts = max(1, swallowed.attempts) }
        try ledger.reopen(reopened)
        summary.reopened.append(swallowed.id)
        try bringBack(type, from: swallowed)
    }

    private func bringBack<Entity: SyncEntity>(_ type: Entity.Type, from mutation: PendingMutation) throws {
        if mutation.operation == .create, try store.find(type, id: mutation.entityId) == nil,
            let entity = try? WireCoding.decode(Entity.self, from: mutation.payload ?? Data())
        {
            try bringBack(LocalRecord(entity))
        }
        if mutation.operation == .update, var record = try store.find(type, id: mutation.entityId),
            let patch = try? mutation.patch(of: type)
        {
            record.entity = try patch.applied(to: record.entity)
            try store.upsert(record)
        }
        try ledger.refreshStatus(type, mutation.entityId)
    }

    private func bringBack<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        try store.upsert(record)
        summary.restored[Entity.entityType, default: 0] += 1
    }
}
