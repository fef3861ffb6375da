import TrendyDomain

/// Moves that a restored server has lost, of records away from parents that are deleted here.
///
/// The server has the record beneath its former parent again. The deletion of that parent is still open here, because the
/// server has lost it or has never had it. Sent now, the deletion would take the record along. So the move becomes an edit that
/// waits for the person, and the deletion gets a place behind that edit, for which it waits (``DepartingChildren``).
struct LostMoves {
    let replica: Replica

    /// Shows records again that were visible before the server's versions were applied. Since then deletions of their former
    /// parents hide these records.
    ///
    /// - Parameter former: The records of which the server has lost a version, as they were before.
    func keep(_ former: [LocalCopy]) throws {
        var passed: [Int64: PendingMutation] = [:]
        var moved: [RecordKey: [FieldPath: JSONValue]] = [:]
        for former in former {
            guard let shown = former.record.visible.document else { continue }
            let copy = try replica.load(former.type, former.key.id)
            guard copy.record.isHidden, let deletions = try deletions(left: shown, hiding: copy) else { continue }
            for (mutation, _) in deletions { passed[mutation.id] = mutation }
            let fields = Set(deletions.map { FieldPath($0.reference.field) })
            let lost = FieldPatch(from: copy.record.alone.document ?? [:], to: shown, shape: copy.record.shape)
                .values.filter { fields.contains($0.key) }
            moved[copy.key] = lost
            // An edit that was made after the deletion may name the parent already.
            if lost.isEmpty { continue }
            var record = copy.record
            record.operations.append(
                OpenOperation(
                    .update(FieldPatch(lost)), key: replica.identifiers.makeId(), position: .max, isParked: true))
            try replica.save(copy, as: record, parked: { _ in .lostByServer })
        }
        if moved.isEmpty { return }
        try ConflictList(replica: replica).removeMoved(moved)
        for (_, deletion) in passed.sorted(by: { $0.key < $1.key }) { try putLast(deletion) }
    }

    /// The deletions of parents that hide a record, although it had left them; nil if it had not, or if one of these parents
    /// was made anew since, so that its deletion cannot go to the end of the outbox.
    private func deletions(
        left shown: RecordDocument, hiding copy: LocalCopy
    ) throws -> [(mutation: PendingMutation, reference: ParentReference)]? {
        let hiding = copy.record.parentDeletions.filter {
            $0.reference.onDelete == .cascade && copy.record.isHit(by: $0)
        }
        return try hiding.reduce([]) { found, deletion in
            guard let found, !deletion.concerns(shown),
                let mutation = try replica.store.findMutation(id: deletion.position),
                let type = replica.schema.type(for: mutation.entityType),
                try replica.load(type, mutation.entityId).record.operations.last?.position == mutation.id
            else { return nil }
            return found + [(mutation, deletion.reference)]
        }
    }

    /// Moves the deletion of a parent to the end of the outbox. It gets a new key: in this history the server still shows
    /// children of the parent, so it has not carried the deletion out.
    private func putLast(_ deletion: PendingMutation) throws {
        guard let type = replica.schema.type(for: deletion.entityType) else { return }
        let copy = try replica.load(type, deletion.entityId)
        var record = copy.record
        let former = record.operations.removeLast()
        let last = OpenOperation(
            .delete, key: replica.identifiers.makeId(), position: .max, isParked: former.isParked)
        record.operations.append(last)
        try replica.saveJoined(
            copy, as: record, under: last.key, insteadOf: [former.key], parked: deletion.parkReason ?? .waiting)
    }
}
