import TrendyDomain

/// Changes that the server refused because they refer to a record that was deleted elsewhere.
///
/// Where a deletion clears the reference, it has cleared that in all records that the server had. A change that came too late
/// for that goes without the reference, so that the record is the same as if the change had come in time.
struct ClearedReferences {
    let replica: Replica

    /// Queues each such change again, without its references to records that are known here as deleted.
    ///
    /// If an operation of the deleted record is open here, a person may still put the record back. Then the change keeps its
    /// reference and waits.
    ///
    /// - Returns: Whether there were any.
    func reopen() throws -> Bool {
        var isAnyOpened = false
        for type in replica.schema.types {
            let references = type.parents.filter { $0.onDelete == .clear }
            if references.isEmpty { continue }
            let refused = try refused(type)
            for reference in references {
                let naming = Dictionary(grouping: refused) { $0.document[reference.field]?.stringValue ?? "" }
                for parent in try deleted(reference.entityType, among: naming.keys.filter { !$0.isEmpty }.sorted()) {
                    for (mutation, _) in naming[parent] ?? [] {
                        try clear(reference.field, of: parent, in: mutation, type)
                        isAnyOpened = true
                    }
                }
            }
        }
        return isAnyOpened
    }

    /// The changes of a kind that were refused for a record that is not there, with what they say.
    private func refused(
        _ type: any SyncEntity.Type
    ) throws -> [(mutation: PendingMutation, document: RecordDocument)] {
        try replica.store.fetchMutations(MutationQuery(states: [.parked], entityType: type.entityType))
            .filter { $0.parkReason?.code == .blocked }
            .compactMap { mutation in
                guard let payload = mutation.payload,
                    let document = try? WireCoding.decode(RecordDocument.self, from: payload)
                else { return nil }
                return (mutation, document)
            }
    }

    private func deleted(_ kind: EntityType, among ids: [String]) throws -> [String] {
        if ids.isEmpty { return [] }
        let bases = try replica.store.bases(kind, ids: ids)
        let open = try replica.store.openKeys(kind, ids: ids)
        // The device keeps no base of what the server never had, or had lost.
        let givenUp = try GivenUpRecords(replica: replica).among(kind, Set(ids))
        return ids.filter { (bases[$0]?.isDeleted == true || givenUp[$0] != nil) && open[$0] == nil }
    }

    private func clear(
        _ field: String, of parent: String, in mutation: PendingMutation, _ type: any SyncEntity.Type
    ) throws {
        let copy = try replica.load(type, mutation.entityId)
        var record = copy.record
        record.forget(field, of: parent)
        for index in record.operations.indices where record.operations[index].position == mutation.id {
            record.operations[index].isParked = false
        }
        try replica.save(copy, as: record)
    }
}
