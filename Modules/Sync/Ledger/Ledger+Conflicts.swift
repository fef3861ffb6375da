import TrendyDomain

extension Ledger {
    /// Restores the losing side of a conflict, and takes the conflict off the list.
    func restoreConflict(_ id: String) throws {
        let (conflict, type) = try conflict(id)
        switch conflict.kind {
        case .field: try restoreValue(conflict, type)
        case .editedHereDeletedElsewhere: try putBack(type, conflict.entityId)
        case .deletedHereEditedElsewhere: try makeAgain(conflict, type)
        }
        try store.deleteDocument(SyncConflict.self, id: id)
    }

    /// Takes a conflict off the list and leaves what won.
    ///
    /// - Returns: Whether the record was removed by that.
    func dismissConflict(_ id: String) throws -> Bool {
        let (conflict, type) = try conflict(id)
        let isGone = try conflict.kind == .editedHereDeletedElsewhere && acceptDeletion(type, conflict.entityId)
        try store.deleteDocument(SyncConflict.self, id: id)
        return isGone
    }

    private func conflict(_ id: String) throws -> (SyncConflict, any SyncEntity.Type) {
        guard let conflict = try store.findDocument(SyncConflict.self, id: id) else {
            throw LedgerError.unknownConflict(id)
        }
        guard let type = schema.type(for: conflict.entityType) else {
            throw SyncEngineError.unknownEntityType(conflict.entityType)
        }
        return (conflict, type)
    }

    private func restoreValue(_ conflict: SyncConflict, _ type: any SyncEntity.Type) throws {
        let copy = try replica.load(type, conflict.entityId)
        guard let visible = copy.record.visible.document else {
            throw LedgerError.recordGone(entityType: conflict.entityType, id: conflict.entityId)
        }
        guard let field = conflict.field else { throw LedgerError.unknownConflict(conflict.id) }
        let patch = FieldPatch([FieldPath(field, key: conflict.key): conflict.remoteValue])
        let restored = patch.applied(to: visible)
        do { try demandRecord(restored, type) } catch let error as DecodingError {
            throw LedgerError.unusableVersion(conflict: conflict.id, reason: inWords(error))
        }
        if type.parents.contains(where: { $0.field == field }),
            try withLivingParents(restored, of: copy.key, type) != restored
        {
            throw LedgerError.recordGone(
                entityType: type.parents.first { $0.field == field }?.entityType ?? conflict.entityType,
                id: conflict.remoteValue.stringValue ?? "")
        }
        let before = try entity(type, conflict.entityId)
        try writer.append(.update(patch), to: copy.record, of: copy)
        if let before, let after = try entity(type, conflict.entityId) {
            writer.changes.add(.updated(before, to: after))
        }
    }

    /// Makes a record again that was deleted here, as the other side has edited it.
    private func makeAgain(_ conflict: SyncConflict, _ type: any SyncEntity.Type) throws {
        let copy = try replica.load(type, conflict.entityId)
        let kept = (conflict.remoteValue.objectValue ?? [:]).withoutServerFields
        do { try demandRecord(kept, type) } catch let error as DecodingError {
            throw LedgerError.unusableVersion(conflict: conflict.id, reason: inWords(error))
        }
        let document = try withLivingParents(kept, of: copy.key, type)
        try writer.makeAgain(copy, as: document)
        if let entity = try entity(type, conflict.entityId) { writer.changes.add(.created(entity)) }
    }
}
