import Foundation
import TrendyDomain

/// Restores what lost in a conflict, or lets it go.
struct ConflictResolver {
    let ledger: LedgerEditor

    private var store: any DataStoreProtocol { ledger.store }

    func restore(_ id: String) throws {
        let (conflict, type) = try find(id)
        switch conflict.kind {
        case .field: try restoreField(type, conflict)
        case .editedHereDeletedElsewhere: try MutationRetry(ledger: ledger).putBack(type, conflict.entityId)
        case .deletedHereEditedElsewhere: try makeAgain(type, conflict)
        }
        try store.deleteDocument(SyncConflict.self, id: id)
    }

    /// - Returns: Whether the record went by that.
    @discardableResult
    func dismiss(_ id: String) throws -> Bool {
        let (conflict, type) = try find(id)
        var isGone = false
        if conflict.kind == .editedHereDeletedElsewhere { isGone = try acceptDeletion(type, conflict.entityId) }
        try store.deleteDocument(SyncConflict.self, id: id)
        return isGone
    }

    private func find(_ id: String) throws -> (SyncConflict, any SyncEntity.Type) {
        guard let conflict = try store.fetchDocuments(SyncConflict.self).first(where: { $0.id == id }) else {
            throw LedgerError.unknownConflict(id)
        }
        guard let type = ledger.schema.type(for: conflict.entityType) else {
            throw SyncEngineError.unknownEntityType(conflict.entityType)
        }
        return (conflict, type)
    }

    private func restoreField<Entity: SyncEntity>(_ type: Entity.Type, _ conflict: SyncConflict) throws {
        guard let record = try store.find(type, id: conflict.entityId) else {
            throw LedgerError.recordGone(entityType: Entity.entityType, id: conflict.entityId)
        }
        guard let field = conflict.field else { throw LedgerError.unknownConflict(conflict.id) }
        let restored: Entity
        do {
            restored = try FieldChanges([field: conflict.remoteValue]).applied(to: record.entity)
        } catch let error as ValidationError {
            throw LedgerError.unusableVersion(conflict: conflict.id, reason: error.description)
        }
        if let reference = Entity.parents.first(where: { $0.field == field }),
            let parentId = conflict.remoteValue.stringValue,
            let parent = ledger.schema.type(for: reference.entityType), try !ledger.isAlive(parent, parentId)
        {
            throw LedgerError.parentGone(
                entityType: Entity.entityType, id: record.id, parent: reference.entityType, parentId: parentId)
        }
        try ledger.writer.update(restored)
        try ledger.refreshStatus(type, record.id)
    }

    /// Makes a record again that was deleted here, as the other side has edited it since.
    private func makeAgain<Entity: SyncEntity>(_ type: Entity.Type, _ conflict: SyncConflict) throws {
        let kept: Entity
        do {
            kept = try WireCoding.decode(Entity.self, from: encoded(conflict.remoteValue))
        } catch let error as DecodingError {
            throw LedgerError.unusableVersion(conflict: conflict.id, reason: inWords(error))
        }
        for deletion in try store.openMutations(Entity.entityType, conflict.entityId)
        where deletion.operation == .delete && deletion.state != .sending {
            // It has not been heard of, or was refused: what went with it comes back, from here and from the server.
            try MutationDrop(ledger: ledger).takeBack(
                deletion, of: type, as: Remote(kept, server: conflict.remoteServer ?? ServerFields()))
        }
        let restored = try ledger.withLivingParents(kept)
        if let back = try store.find(type, id: restored.id) {
            ledger.writer.changes.add(.created(back.entity))
            // An edit of ours from before the deletion has come back with it, and gives way to what is restored.
            try ledger.writer.update(restored)
            try ledger.refreshStatus(type, restored.id)
        } else {
            // So does one whose record has not come back yet.
            let edits = try store.openMutations(Entity.entityType, restored.id).filter { $0.state != .sending }
            let create = try ledger.writer.create(restored, over: kept)
            for edit in edits { try ledger.writer.settle(edit, .merged(into: create.id)) }
        }
    }

    private func acceptDeletion<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        let open = try store.openMutations(Entity.entityType, id)
        guard open.contains(where: { $0.isParkedAsDeletedElsewhere }) else { return false }
        try MutationDrop(ledger: ledger).acceptDeletion(of: type, id)
        return true
    }
}
