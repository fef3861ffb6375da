import TrendyDomain

extension Ledger {
    /// Puts a parked mutation back into the queue. A create that waits for the server's clock goes under another id.
    func retry(_ id: Int64) throws {
        let mutation = try mutation(id)
        if let type = schema.type(for: mutation.entityType), try isEarly(mutation) {
            return try giveNewId(type, to: mutation)
        }
        guard let reason = mutation.parkReason else { throw LedgerError.notParked(id, mutation.state.name) }
        guard let type = schema.type(for: mutation.entityType) else { return try reopen(mutation) }
        if reason.code == .deletedElsewhere { return try putBack(type, mutation.entityId) }
        if reason.code == .blocked { try demandNoLostDeletion(above: mutation, type) }
        if mutation.isCreateRefusedForItsId { return try giveNewId(type, to: mutation) }
        let copy = try replica.load(type, mutation.entityId)
        // What waits behind it may be its correction, so they go as one. A new record behind a deletion does not.
        var joined = copy.record
        guard copy.refused.contains(mutation.clientRequestId), !copy.waiting.isEmpty,
            try replica.supersede(copy.refused, of: copy, in: &joined, by: .question(mutation.clientRequestId)) != nil
        else { return try reopen(mutation) }
        try writer.append(.update(FieldPatch()), to: copy.record, of: copy)
    }

    /// Makes a record anew that was deleted elsewhere, as it stands here.
    ///
    /// The open operations concerned the deleted record. A new create takes their place, or an edit if others have
    /// brought the record back.
    func putBack(_ type: any SyncEntity.Type, _ id: String) throws {
        let copy = try replica.load(type, id)
        guard let visible = copy.record.alone.document else {
            throw LedgerError.recordGone(entityType: type.entityType, id: id)
        }
        if let sending = copy.mutations.values.first(where: { $0.state == .sending }) {
            throw LedgerError.sending(sending.id)
        }
        let document = try withLivingParents(visible.withoutServerFields, of: copy.key, type)
        var record = copy.record
        let change: OpenOperation.Change =
            if case .document(let there, _) = record.base {
                .update(FieldPatch(from: there, to: document, shape: record.shape))
            } else {
                .create(document)
            }
        record.operations = [OpenOperation(change, key: replica.identifiers.makeId(), position: .max)]
        try replica.save(copy, as: record, settled: { _ in .merged(into: nil) })
        // For all others this record is new.
        if let entity = try entity(type, id) { writer.changes.add(.created(entity)) }
    }

    /// Sends a create that the server refuses for its id under another id, with everything that belongs to the
    /// record.
    ///
    /// Servers refuse ids that are ahead of their clock. If this device's clock was ahead, the create would be
    /// refused for ever, and no person can edit an id.
    private func giveNewId(_ type: any SyncEntity.Type, to create: PendingMutation) throws {
        let copy = try replica.load(type, create.entityId)
        guard var document = copy.record.alone.document else {
            throw LedgerError.recordGone(entityType: type.entityType, id: create.entityId)
        }
        let id = try store.serverClock().correct(replica.identifiers.makeId())
        document["id"] = .string(id)
        let renamed = try replica.load(type, id)
        var record = renamed.record
        record.operations = [OpenOperation(.create(document), key: replica.identifiers.makeId(), position: .max)]
        let added = try replica.save(renamed, as: record)
        var left = copy.record
        left.operations = []
        try replica.save(copy, as: left, settled: { _ in .merged(into: added.values.first?.id) })
        try replica.rename(copy, to: id, isMerged: false)
    }

    /// Demands that the parents of a record are not deleted by what a restored server has lost. Such a deletion would take the
    /// record along when it is made again.
    private func demandNoLostDeletion(above mutation: PendingMutation, _ type: any SyncEntity.Type) throws {
        guard let document = try replica.load(type, mutation.entityId).record.alone.document else { return }
        for reference in type.parents where reference.onDelete == .cascade {
            guard let id = document[reference.field]?.stringValue else { continue }
            let open = try store.openMutations(reference.entityType, ids: [id])
            if open.contains(where: { $0.operation == .delete && $0.parkReason?.code == .lostByServer }) {
                throw LedgerError.parentGone(
                    entityType: mutation.entityType, id: mutation.entityId, parent: reference.entityType, parentId: id)
            }
        }
    }

    private func isEarly(_ mutation: PendingMutation) throws -> Bool {
        try store.serverClock().waitEnd(of: mutation, at: replica.wallClock.now()) != nil
    }

    func entity(_ type: any SyncEntity.Type, _ id: String) throws -> (any SyncEntity)? {
        func find<Entity: SyncEntity>(_ type: Entity.Type) throws -> (any SyncEntity)? {
            try store.find(type, id: id)?.entity
        }
        return try find(type)
    }
}

extension RecordDocument {
    /// The record as it is sent, with its id and without what the server says of it.
    var withoutServerFields: RecordDocument {
        filter { !RecordShape.unchangeable.contains($0.key) || $0.key == "id" }
    }
}

extension PendingMutation {
    /// Whether the server refuses the record for its id alone.
    fileprivate var isCreateRefusedForItsId: Bool {
        guard operation == .create, let reason = parkReason, reason.code == .rejected else { return false }
        return !reason.fields.isEmpty && reason.fields.allSatisfy { $0.field == "id" }
    }
}
