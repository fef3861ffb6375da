import Foundation
import TrendyDomain

extension MutationDrop {
    func undoUpdate<Entity: SyncEntity>(_ type: Entity.Type, _ update: PendingMutation) throws {
        let id = update.entityId
        let open = try store.openMutations(Entity.entityType, id)
        if update.isParkedAsDeletedElsewhere && open.isEmpty {
            return try remove(type, id, serverFollows: true)
        }
        guard let record = try store.find(type, id: id) else {
            return try undoUpdate(type, update, beneath: open.first { $0.id > update.id && $0.operation == .delete })
        }
        guard let changes = formerValues(type, update) else {
            // What it changed cannot be told: the server's version can.
            summary.asksFullResync = true
            return try ledger.refreshStatus(type, id)
        }
        let former = try ledger.handOn(changes, to: open.filter { $0.id > update.id }, of: type)
        guard try putBack(former, in: record) else { return try remove(type, id, serverFollows: true) }
        try ledger.refreshStatus(type, id)
        try ledger.removeConflicts(of: Entity.entityType, id) { conflict in
            conflict.kind == .field && conflict.field.map { former[$0] == conflict.remoteValue } ?? false
        }
    }

    /// Takes an update out of a record that is deleted here: giving the deletion up brings it back without the update.
    private func undoUpdate<Entity: SyncEntity>(
        _ type: Entity.Type, _ update: PendingMutation, beneath deletion: PendingMutation?
    ) throws {
        guard var deletion, let base = deletion.base, let changes = formerValues(type, update) else { return }
        var deleted = try WireCoding.decode(Remote<Entity>.self, from: base)
        let query = MutationQuery(
            states: [.merged], entityType: Entity.entityType, entityId: update.entityId, afterId: update.id)
        let swallowed = try store.fetchMutations(query).filter { $0.state == .merged(into: deletion.id) }
        // What was under way when the record was deleted waits beside the deletion.
        let open = try store.openMutations(Entity.entityType, update.entityId).filter { $0.id > update.id }
        let later = (swallowed + open).sorted { $0.id < $1.id }
        let former = try ledger.handOn(changes, to: later, of: type)
        deleted.entity = try Patch<Entity>(changes: former).applied(to: deleted.entity)
        deletion.base = try encoded(deleted)
        try store.updateMutation(deletion)
    }

    /// What the fields that an update sets had held before; nil where that cannot be told.
    private func formerValues<Entity: SyncEntity>(
        _ type: Entity.Type, _ update: PendingMutation
    ) -> [String: JSONValue]? {
        guard let patch = try? update.patch(of: type), let base = try? update.baseValues() else { return nil }
        return patch.changes.keys.reduce(into: [:]) { $0[$1] = base[$1] ?? .null }
    }

    /// Gives a record its former values again. False where it was beneath a parent that is gone, and on the server the
    /// record with it.
    private func putBack<Entity: SyncEntity>(
        _ former: [String: JSONValue], in record: LocalRecord<Entity>
    ) throws -> Bool {
        var changed = record
        changed.entity = try Patch<Entity>(changes: former).applied(to: record.entity)
        if Entity.parents.contains(where: { former[$0.field] != nil }) {
            do {
                changed.entity = try ledger.withLivingParents(changed.entity)
            } catch LedgerError.parentGone {
                summary.asksFullResync = true
                return false
            }
        }
        try store.upsert(changed)
        return true
    }
}
