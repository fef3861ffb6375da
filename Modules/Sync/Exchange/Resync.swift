import TrendyDomain

/// Ends a resync: decides about the records that the device has and the server has not shown.
struct Resync {
    let replica: Replica
    let reason: ExchangePlace.Resync
    /// The largest revision that the former history and this one are known to share; nil where revisions cannot be compared.
    let shared: Int64?
    /// The name of this history.
    let epoch: String

    private static let page = 500

    /// Decides about every record that is not marked, parents first, and clears the marks.
    func finish() throws {
        for type in replica.schema.types {
            var last: String?
            while true {
                let ids = try replica.store.unmarkedIds(type.entityType, after: last, limit: Self.page)
                guard let end = ids.last else { break }
                for copy in try replica.loadInOrder(type, ids) { try decide(copy) }
                last = end
            }
        }
        try replica.store.clearMarks()
        if reason == .epoch, let shared { try listEdited(beyond: shared) }
    }

    /// Lists what others may have edited, in this history, of records whose deletion the server has lost. Sent again, the
    /// deletion takes that along.
    private func listEdited(beyond shared: Int64) throws {
        let deletions = try replica.store.fetchMutations(MutationQuery(states: [.parked], operations: [.delete]))
        for deletion in deletions where deletion.parkReason?.code == .lostByServer {
            guard let type = replica.schema.type(for: deletion.entityType) else { continue }
            let copy = try replica.load(type, deletion.entityId)
            try list(copy, beyond: shared)
            for (child, reference) in replica.schema.children(of: type.entityType) where reference.onDelete == .cascade
            {
                for ids in try replica.children(child, reference, of: copy.key.id).chunks(of: Self.page) {
                    for copy in try replica.loadInOrder(child, ids) where copy.record.isHidden {
                        try list(copy, beyond: shared)
                    }
                }
            }
        }
    }

    private func list(_ copy: LocalCopy, beyond shared: Int64) throws {
        // Nobody has edited what is as it was made.
        guard case .document(let document, let revision) = copy.record.base, revision > max(shared, copy.created)
        else { return }
        try ConflictList(replica: replica).add(
            [.editedElsewhere(theirs: document)], of: copy.key, theirs: .object(document), in: epoch)
    }

    private func decide(_ copy: LocalCopy) throws {
        var record = copy.record
        let isNewHistory = reason == .epoch
        switch record.base {
        case .document(_, let revision) where isNewHistory && !isShared(revision): try keep(copy)
        // A snapshot shows no tombstones, so the server may still have this one.
        case .tombstone where !record.operations.isEmpty: break
        case .document, .tombstone:
            if try record.operations.isEmpty && TakenBackDeletions(replica: replica).kept().edited(copy) == nil {
                record.base = .nothing
                try replica.save(copy, as: record)
            } else {
                try replica.merge(copy, .nothing, created: 0, raw: nil)
            }
        // Keys and tombstones are pruned, so nobody knows whether the create was accepted and the record deleted since. Who
        // has deleted it here does not need to know.
        case .nothing
        where reason == .expired && record.operations.first?.isInFlight == true && record.alone.document != nil:
            for index in record.operations.indices { record.operations[index].isParked = true }
            let unknown = ParkReason(
                code: .deletedElsewhere, message: "it was sent without an answer, and the server does not have it")
            try replica.save(copy, as: record, parked: { _ in unknown })
        case .nothing: break
        }
    }

    /// Whether this history had a version of the former one. If it is the last version that the device has seen, somebody has
    /// deleted the record in this history.
    private func isShared(_ revision: Int64) -> Bool {
        guard let shared else { return false }
        return revision < 0 && -revision <= shared
    }

    /// Parks a create of a record that a former history of the server had and this one lacks. The devices may hold
    /// the only copies, or somebody may have deleted it on purpose.
    private func keep(_ copy: LocalCopy) throws {
        var record = copy.record
        record.base = .nothing
        // Who deleted the record here, or its parent, does not want it back.
        guard let document = copy.record.visible.document else {
            record.operations = []
            try GivenUpRecords(replica: replica).add(lost: copy)
            try replica.save(copy, as: record, carriedOutAt: .max, settled: { _ in .merged(into: nil) })
            return
        }
        record.operations = [
            OpenOperation(
                .create(document.withoutServerFields), key: replica.identifiers.makeId(), position: .max, isParked: true
            )
        ]
        try replica.save(copy, as: record, settled: { _ in .merged(into: nil) }, parked: { _ in .lostByServer })
    }
}
