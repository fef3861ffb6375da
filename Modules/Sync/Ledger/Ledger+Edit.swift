import TrendyDomain

extension Ledger {
    /// Changes fields of the record of a waiting mutation, and lets the mutation carry the changes.
    ///
    /// If the server may have the mutation as it is, it goes again as it is, and the changes follow it. A mutation on
    /// which the server fails carries the changes itself, because without them it would fail again. One whose record was
    /// deleted elsewhere stays parked.
    ///
    /// - Returns: The mutation that carries the changes.
    func edit(_ id: Int64, _ changes: [String: JSONValue]) throws -> Int64 {
        let mutation = try openMutation(id)
        guard mutation.operation != .delete else { throw LedgerError.notEditable(id) }
        let type = try type(of: mutation)
        return try edit(type, mutation, changes)
    }

    private func edit<Entity: SyncEntity>(
        _ type: Entity.Type, _ mutation: PendingMutation, _ changes: [String: JSONValue]
    ) throws -> Int64 {
        guard let former = try store.find(type, id: mutation.entityId)?.entity else {
            throw LedgerError.recordGone(entityType: Entity.entityType, id: mutation.entityId)
        }
        let edited = try FieldChanges(changes).applied(to: former)
        try writer.validate(edited, over: former)
        if edited != former { writer.changes.add(.updated(former, to: edited)) }
        let copy = try replica.load(type, mutation.entityId)
        var record = copy.record
        guard let index = record.operations.firstIndex(where: { $0.key == mutation.clientRequestId }) else {
            throw LedgerError.unreadable(mutation.id)
        }
        // The record may write a value in another form than it was given in.
        let values = try WireCoding.fields(of: edited)
        let said = changes.keys.reduce(into: RecordDocument()) { $0[$1] = values[$1] ?? .null }
        let patch = FieldPatch(json: said, to: try WireCoding.fields(of: former), shape: record.shape)
        if mutation.parkReason?.code == .cleared, mutation.isUnanswered {
            try reopen(mutation)
            if patch.isEmpty { return mutation.id }
            let opened = try replica.load(type, mutation.entityId)
            return try writer.append(.update(patch), to: opened.record, of: opened)?.id ?? mutation.id
        }
        if copy.refused.contains(mutation.clientRequestId), !record.operations[..<index].contains(where: \.isParked) {
            return try writer.append(.update(patch), to: record, of: copy)?.id ?? mutation.id
        }
        record.operations[index].change.take(patch)
        for later in record.operations.indices[(index + 1)...] { record.operations[later].change.leave(patch) }
        record.operations.removeAll { $0.change == .update(FieldPatch()) && $0.key != mutation.clientRequestId }
        try replica.save(copy, as: record, settled: { _ in .merged(into: mutation.id) })
        let waits = mutation.parkReason?.code == .deletedElsewhere
        if !waits, mutation.state != .queued { try reopen(self.mutation(mutation.id), isEdited: true) }
        return mutation.id
    }
}

extension OpenOperation.Change {
    /// Adds an edit.
    fileprivate mutating func take(_ patch: FieldPatch) {
        switch self {
        case .create(let document): self = .create(patch.applied(to: document))
        case .update(let earlier): self = .update(earlier.merging(patch))
        case .delete: break
        }
    }

    /// Removes the values that an earlier operation sets by now.
    fileprivate mutating func leave(_ patch: FieldPatch) {
        if case .update(let own) = self { self = .update(own.removing(Set(patch.values.keys))) }
    }
}
