import TrendyDomain

extension Ledger {
    /// Gives a mutation up. The fold of what is left is what readers see.
    func drop(_ id: Int64) throws -> DropSummary {
        let mutation = try openMutation(id)
        guard let type = schema.type(for: mutation.entityType) else {
            try settle([mutation], .dropped)
            return DropSummary(dropped: [id])
        }
        let before = try counts()
        let copy = try replica.load(type, mutation.entityId)
        var record = copy.record
        let gone = record.drop(mutation.clientRequestId)
        var summary = DropSummary(dropped: gone.compactMap { copy.mutations[$0.key]?.id })
        if mutation.operation == .create, mutation.isUnanswered, record.alone.document == nil {
            // The server may have accepted the create.
            record.operations.append(OpenOperation(.delete, key: replica.identifiers.makeId(), position: .max))
            summary.queuesDeletion = true
        }
        if mutation.operation == .delete {
            try TakenBackDeletions(replica: replica).add(copy.key)
            try GivenUpRecords(replica: replica).forget([copy.key])
        }
        try GivenUpRecords(replica: replica).add(copy, left: record)
        let isThere = if case .document = record.base { true } else { false }
        let isUnmade = record.base == .nothing || mutation.operation == .create && !isThere
        if record.alone.document == nil, !summary.queuesDeletion, isUnmade {
            try moveBackChildren(of: type, mutation.entityId)
            summary.dropped += try dropChildren(of: type, mutation.entityId)
        }
        try replica.save(copy, as: record, settled: { _ in .dropped }, parked: { _ in .waiting })
        if mutation.operation == .delete {
            try ConflictList(replica: replica).removeUndone(with: copy.key)
            if isThere { _ = try replica.unblock(childrenOf: [mutation.entityId], type) }
        }
        if mutation.operation == .update, mutation.parkReason?.code == .lostByServer {
            try listHidden(type, mutation.entityId)
        }
        summary.note(before, try counts())
        return summary
    }

    /// Lists what others have made of a record that the deletion of a parent takes along, now that a lost move of it is
    /// given up.
    private func listHidden(_ type: any SyncEntity.Type, _ id: String) throws {
        let copy = try replica.load(type, id)
        guard copy.record.isHidden, case .document(let document, let revision) = copy.record.base,
            revision > copy.created
        else { return }
        try ConflictList(replica: replica).add(
            [.editedElsewhere(theirs: document)], of: copy.key, theirs: .object(document))
    }

    /// Drops all operations of a record that was deleted elsewhere, so that it is removed here too.
    ///
    /// - Returns: Whether there was anything.
    func acceptDeletion(_ type: any SyncEntity.Type, _ id: String) throws -> Bool {
        let copy = try replica.load(type, id)
        guard copy.mutations.values.contains(where: { $0.parkReason?.code == .deletedElsewhere }) else { return false }
        var record = copy.record
        record.operations = []
        try replica.save(copy, as: record, settled: { _ in .dropped })
        return true
    }

    /// Takes back the edits that moved records of the server to a parent that is given up.
    private func moveBackChildren(of parent: any SyncEntity.Type, _ id: String) throws {
        for (type, reference) in schema.children(of: parent.entityType) {
            let field = FieldPath(reference.field)
            for child in try replica.loadInOrder(type, replica.children(type, reference, of: id)) {
                guard case .document = child.record.base else { continue }
                var record = child.record
                for index in record.operations.indices {
                    guard case .update(let patch) = record.operations[index].change, patch.values[field] == .string(id)
                    else { continue }
                    record.operations[index].change = .update(patch.removing([field]))
                }
                record.operations.removeAll { $0.change == .update(FieldPatch()) }
                try replica.save(child, as: record, settled: { _ in .dropped })
            }
        }
    }

    /// Drops the children that were made here for a parent that is given up. Children that can be without it lose the
    /// reference.
    ///
    /// - Returns: The mutations that are dropped.
    private func dropChildren(of parent: any SyncEntity.Type, _ id: String) throws -> [Int64] {
        var dropped: [Int64] = []
        for (type, reference) in schema.children(of: parent.entityType) {
            for child in try replica.loadInOrder(type, replica.children(type, reference, of: id)) {
                if let present = child.record.visible.document?[reference.field]?.stringValue, present != id {
                    // The child was made beneath that parent, and was moved since.
                    try replica.move(child, reference.field, from: id, to: present)
                    continue
                }
                guard reference.onDelete == .cascade else {
                    // Nothing can follow a deletion. If the person takes it back, the server tells of the reference.
                    if child.isDeletedHere { continue }
                    let cleared = FieldPatch([FieldPath(reference.field): .null])
                    try writer.append(.update(cleared), to: child.record, of: child)
                    continue
                }
                dropped += child.mutations.values.map(\.id)
                var record = child.record
                record.operations = []
                try GivenUpRecords(replica: replica).add(child, left: record)
                try replica.save(child, as: record, settled: { _ in .dropped })
                dropped += try dropChildren(of: type, child.key.id)
            }
        }
        return dropped.sorted()
    }

    private func settle(_ mutations: [PendingMutation], _ state: MutationState) throws {
        for var mutation in mutations {
            mutation.state = state
            mutation.settledAt = replica.wallClock.now()
            try store.updateMutation(mutation)
        }
    }

    private func counts() throws -> [EntityType: Int] {
        try schema.types.reduce(into: [:]) { $0[$1.entityType] = try store.count($1) }
    }
}

extension DropSummary {
    fileprivate init(dropped: [Int64]) {
        self.init()
        self.dropped = dropped
    }

    /// Notes how many records came and went.
    fileprivate mutating func note(_ before: [EntityType: Int], _ after: [EntityType: Int]) {
        for (kind, count) in after {
            let change = count - (before[kind] ?? 0)
            if change > 0 { restored[kind] = change }
            if change < 0 { removed[kind] = -change }
        }
    }
}
