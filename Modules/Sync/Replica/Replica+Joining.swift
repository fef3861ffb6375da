import TrendyDomain

/// What joining operations of a record has to mind in the outbox.
extension Replica {
    /// The place in the outbox before which a change is not merged into another. It would be sent before a record
    /// that it refers to is made, or before another record has given up the name that it takes.
    func floor(of change: OpenOperation.Change, _ copy: LocalCopy) throws -> Int64 {
        guard case .update(let patch) = change else { return 0 }
        var place: Int64 = 0
        for reference in copy.type.parents {
            guard let id = patch.values[FieldPath(reference.field)]?.stringValue else { continue }
            let creates = try store.openMutations(reference.entityType, ids: [id]).filter { $0.operation == .create }
            place = max(place, creates.last?.id ?? 0)
        }
        if copy.type.naturalKey.contains(where: { patch.values[FieldPath($0)] != nil }) {
            let waiting = MutationQuery(states: [.queued, .sending], entityType: copy.key.entityType)
            let others = try store.fetchMutations(waiting).filter { $0.entityId != copy.key.id }
            place = max(place, others.last?.id ?? 0)
        }
        return place
    }

    /// Gives edits of a record to the one that takes its place.
    ///
    /// The edits keep their places in the outbox, because a create behind one may need the name that it gives up. They get
    /// keys of their own: a copy of this store may send them under the former keys, as edits of the former record. Like any
    /// edit, they take the place of what the server has refused of that record.
    func move(_ edits: ArraySlice<OpenOperation>, of former: LocalCopy, to id: String) throws {
        for edit in edits { try move(edit, of: former, to: id) }
    }

    private func move(_ edit: OpenOperation, of former: LocalCopy, to id: String) throws {
        var copy = try load(former.type, id)
        var (moved, row) = (edit, former.mutations[edit.key])
        moved.key = identifiers.makeId()
        row?.entityId = id
        copy.mutations[moved.key] = row
        var record = copy.record
        let floor = try floor(of: edit.change, copy)
        guard case .replaced(let keys) = record.supersede(copy.refused, by: moved, after: floor) else {
            record.insert(moved)
            try save(copy, as: record, parked: { _ in .waiting })
            return
        }
        let joined = try save(copy, as: record, settled: { _ in .merged(into: nil) })[moved.key]
        if let joined { try point((keys + [moved.key]).compactMap { copy.mutations[$0] }, to: joined) }
    }

    /// Says which mutation others were merged into.
    func point(_ merged: [PendingMutation], to mutation: PendingMutation) throws {
        try store.updateMutations(
            merged.filter { $0.id != mutation.id }.map { merged in
                var merged = merged
                merged.state = .merged(into: mutation.id)
                merged.settledAt = wallClock.now()
                return merged
            })
    }
}
