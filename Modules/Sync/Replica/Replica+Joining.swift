import TrendyDomain

/// What joining operations of a record has to mind in the outbox.
extension Replica {
    /// The place in the outbox before which a change is not merged into another. It would be sent before a record
    /// that it refers to is made, or before another record has given up the name that it takes.
    ///
    /// For a deletion it is the place of the last change that gives up a name which another record may take in between.
    func floor(of change: OpenOperation.Change, _ copy: LocalCopy) throws -> Int64 {
        guard case .update(let patch) = change else { return change == .delete ? try lastRename(of: copy) : 0 }
        var place: Int64 = 0
        for reference in copy.type.parents {
            guard let id = patch.values[FieldPath(reference.field)]?.stringValue else { continue }
            let open = try store.openMutations(reference.entityType, ids: [id])
            // What names a record that was made anew comes behind the deletion of the former one, wherever that is.
            if open.contains(where: { $0.operation == .delete }) { return .max }
            place = max(place, open.last { $0.operation == .create }?.id ?? 0)
        }
        if copy.record.shape.isRename(change) {
            let waiting = MutationQuery(states: [.queued, .sending], entityType: copy.key.entityType)
            let others = try store.fetchMutations(waiting).filter { $0.entityId != copy.key.id }
            place = max(place, others.last?.id ?? 0)
        }
        return place
    }

    /// Lets an edit take the place of what the server has refused of a record, as far as the outbox allows that.
    ///
    /// - Returns: As ``OpenRecord/supersede(_:by:after:)``.
    func supersede(
        _ refused: Set<String>, of copy: LocalCopy, in record: inout OpenRecord, by edit: OpenOperation
    ) throws -> OpenRecord.Appended? {
        guard edit.change.isUpdate, let first = record.operations.firstIndex(where: \.isParked) else { return nil }
        let edits = record.operations[(first + 1)...].map(\.change) + [edit.change]
        let floor = try edits.map { try self.floor(of: $0, copy) }.max() ?? 0
        return record.supersede(refused, by: edit, after: floor)
    }

    /// The place of the last change of a record's name that others of its kind wait behind; 0 if there is none.
    private func lastRename(of copy: LocalCopy) throws -> Int64 {
        let renames = copy.record.operations.prefix { !$0.isParked }.filter { copy.record.shape.isRename($0.change) }
        // The server has no record that has never left.
        let mayBeThere = copy.record.base.document != nil || copy.record.operations.contains(where: \.isInFlight)
        guard mayBeThere, let last = renames.last?.position else { return 0 }
        let behind = MutationQuery(states: [.queued, .sending], entityType: copy.key.entityType, afterId: last)
        return try store.fetchMutations(behind).contains { $0.entityId != copy.key.id } ? last : 0
    }

    /// Gives edits of a record to the one that takes its place.
    ///
    /// The edits keep their places in the outbox, because a create behind one may need the name that it gives up. They get
    /// keys of their own: a copy of this store may send them under the former keys, as edits of the former record. They wait
    /// behind what the server has refused of that record: the person did not know that both are one.
    func move(_ edits: ArraySlice<OpenOperation>, of former: LocalCopy, to id: String) throws {
        if edits.isEmpty { return }
        var copy = try load(former.type, id)
        var record = copy.record
        for edit in edits {
            var (moved, row) = (edit, former.mutations[edit.key])
            moved.key = identifiers.makeId()
            row?.entityId = id
            copy.mutations[moved.key] = row
            record.insert(moved)
        }
        try save(copy, as: record, parked: { _ in .waiting })
    }

    /// Saves a record with an operation that says what others have said, and says in the ledger that those were merged into
    /// it.
    ///
    /// - Parameters:
    ///   - key: The key of the operation.
    ///   - replaced: The keys of the others.
    ///   - reason: Why the operation is parked, if it is.
    /// - Returns: The mutation that carries the operation, if it was not there before.
    @discardableResult
    func saveJoined(
        _ copy: LocalCopy, as record: OpenRecord, under key: String, insteadOf replaced: [String],
        parked reason: ParkReason = .waiting
    ) throws -> PendingMutation? {
        let joined = try save(
            copy, as: record, settled: { _ in .merged(into: nil) }, parked: { _ in reason })[key]
        guard var joined else { return nil }
        if joined.operation == .create, !joined.isAdopted,
            replaced.contains(where: { copy.mutations[$0]?.isAdopted == true })
        {
            joined.isAdopted = true
            try store.updateMutation(joined)
        }
        try store.updateMutations(
            replaced.compactMap { copy.mutations[$0] }.filter { $0.id != joined.id }.map { merged in
                var merged = merged
                merged.state = .merged(into: joined.id)
                merged.settledAt = wallClock.now()
                return merged
            })
        return joined
    }
}
