import TrendyDomain

/// Moves that a server has lost, of records away from parents that are deleted here.
///
/// The server has such a record beneath the former parent again, so the deletion of that, lost or still to be sent, would take
/// the record along. So the move waits for the person like the deletion that the server has lost, and goes before it.
struct LostMoves {
    let replica: Replica

    /// Makes parked edits of the lost values that keep records from being hidden here. A deletion waits for edits that come
    /// before it (``DepartingChildren``), so these deletions go to the end of the outbox.
    func park() throws {
        if try replica.store.countDocuments(SyncConflict.self) == 0 { return }
        var passed: [Int64: PendingMutation] = [:]
        var moved: Set<RecordKey> = []
        // The last value that was lost is the one that was visible here.
        for lost in try replica.store.fetchDocuments(SyncConflict.self).reversed() where lost.isLostByServer == true {
            guard let type = replica.schema.type(for: lost.entityType),
                let reference = type.parents.first(where: { $0.field == lost.field && $0.onDelete == .cascade }),
                let target = lost.remoteValue.stringValue, let parent = replica.schema.type(for: reference.entityType),
                try replica.load(parent, target).record.visible.document != nil
            else { continue }
            let copy = try replica.load(type, lost.entityId)
            guard copy.record.isHidden, !moved.contains(copy.key),
                let deletions = try deletions(hiding: copy, by: reference)
            else { continue }
            moved.insert(copy.key)
            var record = copy.record
            record.operations.append(
                OpenOperation(
                    .update(FieldPatch([FieldPath(reference.field): .string(target)])),
                    key: replica.identifiers.makeId(), position: .max, isParked: true))
            try replica.save(copy, as: record, parked: { _ in .lostByServer })
            try replica.store.deleteDocument(SyncConflict.self, id: lost.id)
            for deletion in deletions { passed[deletion.id] = deletion }
        }
        try ConflictList(replica: replica).removeEdits(of: moved)
        for (_, deletion) in passed.sorted(by: { $0.key < $1.key }) { try putLast(deletion) }
    }

    /// The deletions that hide a record by way of a reference alone; nil where others hide it too, or where something follows
    /// one of them.
    private func deletions(hiding copy: LocalCopy, by reference: ParentReference) throws -> [PendingMutation]? {
        let hiding = copy.record.parentDeletions.filter {
            $0.reference.onDelete == .cascade && copy.record.isHit(by: $0)
        }
        guard hiding.allSatisfy({ $0.reference == reference }) else { return nil }
        let deletions = try hiding.compactMap { try replica.store.findMutation(id: $0.position) }
        let areLast = try deletions.allSatisfy { deletion in
            guard let type = replica.schema.type(for: deletion.entityType) else { return false }
            return try replica.load(type, deletion.entityId).record.operations.last?.position == deletion.id
        }
        return areLast ? deletions : nil
    }

    /// Moves a deletion to the end of the outbox. The server, which shows the record in this history, has not carried it out.
    private func putLast(_ deletion: PendingMutation) throws {
        guard let type = replica.schema.type(for: deletion.entityType) else { return }
        let copy = try replica.load(type, deletion.entityId)
        var record = copy.record
        let former = record.operations.removeLast()
        record.operations.append(
            OpenOperation(.delete, key: replica.identifiers.makeId(), position: .max, isParked: former.isParked))
        try replica.save(
            copy, as: record, settled: { _ in .merged(into: nil) }, parked: { _ in deletion.parkReason })
    }
}
