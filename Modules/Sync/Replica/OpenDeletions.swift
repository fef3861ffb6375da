import TrendyDomain

/// Where in the outbox records are deleted here, each looked up once.
///
/// It is for records that are looked at together, while none of their parents changes.
struct OpenDeletions {
    let replica: Replica
    private var known: [RecordKey: [Int64]] = [:]

    init(replica: Replica) {
        self.replica = replica
    }

    /// The open deletions of the parents of records of one kind, for each record in turn.
    mutating func ofParents(of records: [OpenRecord], _ type: any SyncEntity.Type) throws -> [[ParentDeletion]] {
        let references = type.parents.filter { replica.schema.type(for: $0.entityType) != nil }
        for reference in references {
            try look(reference.entityType, at: records.reduce(into: []) { $0.formUnion($1.named(by: reference.field)) })
        }
        if known.values.allSatisfy(\.isEmpty) { return records.map { _ in [] } }
        return records.map { record in
            references.flatMap { reference in
                record.named(by: reference.field).flatMap { parent in
                    (known[RecordKey(reference.entityType, parent)] ?? []).map {
                        ParentDeletion(reference: reference, parent: parent, position: $0)
                    }
                }
            }.sorted { ($0.position, $0.reference.field) < ($1.position, $1.reference.field) }
        }
    }

    /// Those of the records that are deleted here by an open operation, their own or that of a parent.
    mutating func deleted(_ kind: EntityType, among ids: Set<String>) throws -> Set<String> {
        try look(kind, at: ids)
        return ids.filter { known[RecordKey(kind, $0)]?.isEmpty == false }
    }

    private mutating func look(_ kind: EntityType, at ids: Set<String>) throws {
        let new = ids.filter { known[RecordKey(kind, $0)] == nil }.sorted()
        guard !new.isEmpty, let type = replica.schema.type(for: kind) else { return }
        let open = try replica.store.openMutations(kind, ids: new)
        let deletions = Dictionary(grouping: open.filter { $0.operation == .delete }, by: \.entityId)
        // A record that is its own ancestor is looked at once.
        for id in new { known[RecordKey(kind, id)] = (deletions[id] ?? []).map(\.id) }
        guard type.parents.contains(where: { $0.onDelete == .cascade }) else { return }
        for (id, copy) in try replica.load(type, new, &self) { known[RecordKey(kind, id)] = copy.record.deletedAt }
    }
}
