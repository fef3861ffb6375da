import TrendyDomain

/// A device's records as an exchange sees them, in one unit of work that the caller saves.
///
/// Each change loads a record with its base, its open operations and the open deletions of its parents, changes it, and
/// saves it. Saving writes what readers see, which is the fold of these, and lets the children of the record follow.
struct Replica {
    let store: any DataStoreProtocol
    let schema: EntitySchema
    let wallClock: any WallClock
    let identifiers: any IdentifierGenerator

    /// What this device has of a record; an empty copy if it has nothing.
    func load(_ type: any SyncEntity.Type, _ id: String) throws -> LocalCopy {
        let key = RecordKey(type.entityType, id)
        return try load(type, [id])[id]
            ?? LocalCopy(
                key: key, type: type, record: OpenRecord(shape: type.shape, base: .nothing), created: 0, mutations: [:],
                status: nil)
    }

    /// What this device has of records, by id, without those of which it has nothing.
    func load(_ type: any SyncEntity.Type, _ ids: [String]) throws -> [String: LocalCopy] {
        var deletions = OpenDeletions(replica: self)
        return try load(type, ids, &deletions)
    }

    /// As ``load(_:_:)``, sorted by id, so that each run writes several records in the same order.
    func loadInOrder(_ type: any SyncEntity.Type, _ ids: [String]) throws -> [LocalCopy] {
        try load(type, ids).values.sorted { $0.key.id < $1.key.id }
    }

    /// As ``load(_:_:)``, with parents that were looked up before.
    func load(
        _ type: any SyncEntity.Type, _ ids: [String], _ deletions: inout OpenDeletions
    ) throws -> [String: LocalCopy] {
        var copies = try loadAlone(type, ids)
        let found = Array(copies.keys)
        let ofParents = try deletions.ofParents(of: found.compactMap { copies[$0]?.record }, type)
        for (id, deletions) in zip(found, ofParents) { copies[id]?.record.parentDeletions = deletions }
        return copies
    }

    /// The records without the deletions of their parents.
    private func loadAlone(_ type: any SyncEntity.Type, _ ids: [String]) throws -> [String: LocalCopy] {
        let kind = type.entityType
        let bases = try store.bases(kind, ids: ids)
        let mutations = Dictionary(grouping: try store.openMutations(kind, ids: ids), by: \.entityId)
        let rows = try rows(type, ids)
        let shape = type.shape
        return try Set(ids).reduce(into: [:]) { copies, id in
            let (base, row, open) = (bases[id], rows[id], mutations[id] ?? [])
            if base == nil && row == nil && open.isEmpty { return }
            let operations = try open.map { mutation in
                do { return try OpenOperation(mutation, shape: shape) } catch {
                    throw StoreError.failed("change \(mutation.id) in the outbox cannot be read: \(error)")
                }
            }
            var known = Base.nothing
            if let base {
                known = Base(base)
            } else if let row, let document = row.synced {
                known = .document(document, revision: row.revision)
            }
            copies[id] = LocalCopy(
                key: RecordKey(kind, id), type: type,
                record: OpenRecord(shape: shape, base: known, operations: operations),
                created: base?.createdRevision ?? row?.created ?? 0,
                mutations: Dictionary(open.map { ($0.clientRequestId, $0) }) { $1 }, status: row?.status)
        }
    }

    private struct Row {
        var status: SyncStatus
        var revision: Int64
        var created: Int64
        /// The record, where it is its own base.
        var synced: RecordDocument?
    }

    private func rows<Entity: SyncEntity>(_ type: Entity.Type, _ ids: [String]) throws -> [String: Row] {
        try store.fetch(type, ids: ids).mapValues { record in
            Row(
                status: record.syncStatus, revision: record.revision, created: record.createdRevision,
                synced: record.syncStatus == .synced ? try record.document : nil)
        }
    }

    /// Saves what has become of a record. Operations that wait are queued again once nothing before them is parked.
    ///
    /// - Parameters:
    ///   - former: The copy as it was loaded.
    ///   - created: The revision with which the server's record was made; nil to keep it.
    ///   - revision: If deletions that are gone were carried out on the server: their revision. Then they are carried out
    ///     on the children too. If it is nil, they were taken back, and the children are there again.
    ///   - isJudged: Whether the caller lists the conflicts with a version that came while a create was in doubt. If it does
    ///     not, they are listed here.
    ///   - settled: The state of operations that are gone.
    ///   - parked: Why a newly parked operation is parked.
    /// - Returns: The mutations that were added to the outbox, or go on under another key, by their keys.
    @discardableResult
    func save(
        _ former: LocalCopy, as record: OpenRecord, created: Int64? = nil, carriedOutAt revision: Int64? = nil,
        isJudged: Bool = false, settled: (OpenOperation) -> MutationState = { _ in .accepted },
        parked: (OpenOperation) -> ParkReason? = { _ in nil }
    ) throws -> [String: PendingMutation] {
        var record = record
        record.reopen(former.waiting)
        // If the server's version of a record is not known, an operation of the record has to ask for it.
        if record.operations.isEmpty, !former.record.operations.isEmpty, record.base.isOutdated {
            record.operations = [.question(identifiers.makeId())]
        }
        var saved = LocalCopy(
            key: former.key, type: former.type, record: record, created: created ?? former.created,
            mutations: former.mutations, status: former.status)
        if case .tombstone = record.base { saved.created = 0 }
        saved.record.parentDeletions = try parentDeletions(of: record, former.type)
        if !isJudged { try listOverruled(of: former, former.record, by: saved.record) }
        let flaw = try show(saved)
        if flaw != nil { saved.record.park() }
        let added = try saveOperations(
            flaw == nil ? former : former.unparked(former.waiting), saved.record.operations, settled
        ) { flaw ?? parked($0) }
        try settleConflict(former, as: record)
        if former.record.deletedAt != saved.record.deletedAt {
            let left = Set(record.operations.map(\.key))
            let gone = former.record.operations.filter { $0.change == .delete && !left.contains($0.key) }
            try refoldChildren(
                of: former.key, carriedOut: revision == nil ? [] : gone.map(\.position), at: revision ?? 0)
        }
        return added
    }

    /// The open deletions of the records that a record refers to, or has referred to.
    func parentDeletions(of record: OpenRecord, _ type: any SyncEntity.Type) throws -> [ParentDeletion] {
        var deletions = OpenDeletions(replica: self)
        return try deletions.ofParents(of: [record], type).flatMap { $0 }
    }

    /// Takes a conflict off the list where nothing waits for a decision about it any more.
    private func settleConflict(_ former: LocalCopy, as record: OpenRecord) throws {
        guard former.record.waitsAfterDeletion, !record.waitsAfterDeletion else { return }
        try ConflictList(replica: self).removeDeletion(of: former.key)
    }

    private func saveOperations(
        _ former: LocalCopy, _ operations: [OpenOperation], _ settled: (OpenOperation) -> MutationState,
        _ parked: (OpenOperation) -> ParkReason?
    ) throws -> [String: PendingMutation] {
        let before = Dictionary(former.record.operations.map { ($0.key, $0) }) { $1 }
        let kept = Set(operations.map(\.key))
        // An operation under a new key at the place of a former one goes on in its row.
        let rows = Dictionary(former.mutations.values.map { ($0.id, $0) }) { $1 }
        let continued = Set(operations.filter { before[$0.key] == nil }.map(\.position)).intersection(rows.keys)
        var changed: [PendingMutation] = []
        var accepted: [Int64] = []
        for gone in former.record.operations where !kept.contains(gone.key) && !continued.contains(gone.position) {
            guard var mutation = former.mutations[gone.key] else { continue }
            mutation.state = settled(gone)
            if mutation.state == .accepted {
                accepted.append(mutation.id)
                continue
            }
            mutation.settledAt = wallClock.now()
            changed.append(mutation)
        }
        var added: [String: PendingMutation] = [:]
        for operation in operations where before[operation.key] != operation {
            if before[operation.key] == nil, let row = rows[operation.position] {
                added[operation.key] = try row.carrying(
                    operation, insteadOf: nil, under: operation.key, parkedBecause: parked(operation))
                continue
            }
            guard let mutation = former.mutations[operation.key] else {
                added[operation.key] = try add(operation, to: former, parked(operation))
                continue
            }
            var carrying = try mutation.carrying(
                operation, insteadOf: before[operation.key]?.change, under: identifiers.makeId(),
                parkedBecause: parked(operation))
            if operation.isParked, before[operation.key]?.isParked == false { carrying.settledAt = wallClock.now() }
            changed.append(carrying)
        }
        changed += added.values.filter { continued.contains($0.id) }
        if !accepted.isEmpty { try store.acceptMutations(accepted, at: wallClock.now()) }
        if !changed.isEmpty { try store.updateMutations(changed) }
        return added
    }

    private func add(
        _ operation: OpenOperation, to former: LocalCopy, _ parked: ParkReason?
    ) throws -> PendingMutation {
        var mutation = try mutation(operation, former.key, parked)
        // What the server had before, another device can make again too.
        mutation.isAdopted = operation.change.isCreate && former.record.base != .nothing && !former.record.isUnsettled
        return try store.insertMutation(mutation)
    }

    private func mutation(
        _ operation: OpenOperation, _ key: RecordKey, _ parked: ParkReason?
    ) throws -> PendingMutation {
        try PendingMutation(
            clientRequestId: operation.key, entityType: key.entityType, operation: operation.change.operation,
            entityId: key.id, createdAt: wallClock.now()
        ).carrying(operation, insteadOf: nil, under: operation.key, parkedBecause: parked)
    }

    /// Writes what readers see of a record, and its base if that is another.
    ///
    /// - Returns: Why the server's version is shown without the open operations: together they make no record. It is a
    ///   reason to park them. Nil if they do.
    @discardableResult
    func show(_ copy: LocalCopy) throws -> ParkReason? {
        try show([copy], of: copy.type).flaws[copy.key.id]
    }

    /// What was made of records that were shown.
    struct Shown {
        /// Those that readers see.
        var ids: Set<String> = []
        /// Why the server's version is shown of some.
        var flaws: [String: ParkReason] = [:]
    }

    /// As ``show(_:)``, for many records of one kind with a few writes.
    @discardableResult
    func show(_ copies: [LocalCopy], of type: any SyncEntity.Type) throws -> Shown { try show(copies, as: type) }

    private func show<Entity: SyncEntity>(_ copies: [LocalCopy], as type: Entity.Type) throws -> Shown {
        let kind = Entity.entityType
        var shown = Shown()
        var rows: [LocalRecord<Entity>] = []
        var (hidden, based): ([String], [String]) = ([], [])
        var bases: [RecordBase] = []
        for copy in copies {
            let (record, id) = (copy.record, copy.key.id)
            var isOwnBase = false
            if case .document(let document) = record.visible {
                isOwnBase = record.operations.isEmpty && record.base.document == document
                let status: SyncStatus =
                    record.operations.contains(where: \.isParked) ? .failed : isOwnBase ? .synced : .pending
                let row: Result<LocalRecord<Entity>, any Error> = Result {
                    try LocalRecord(document, status, revision: record.base.revision, created: copy.created)
                }
                switch row {
                case .success(let row): rows.append(row)
                case .failure(let problem):
                    shown.flaws[id] = ParkReason(
                        code: .unreadable,
                        message: "with what the server has it makes no \(kind.displayName): \(inWords(problem))")
                    let base = record.base.document.flatMap { base in
                        try? LocalRecord<Entity>(
                            base, .failed, revision: record.base.revision, created: copy.created)
                    }
                    if let base { rows.append(base) }
                }
                shown.ids.insert(id)
            } else {
                hidden.append(id)
            }
            // A tombstone stays without the last version, as the base of a later create.
            let base = record.operations.isEmpty ? record.base.withoutLast : record.base
            if !isOwnBase, let base = base.stored(kind, id, copy.created) {
                bases.append(base)
            } else {
                based.append(id)
            }
        }
        if !rows.isEmpty { try store.upsert(contentsOf: rows) }
        if !hidden.isEmpty { try store.delete(kind, ids: hidden) }
        if !bases.isEmpty { try store.putBases(bases) }
        if !based.isEmpty { try store.deleteBases(kind, ids: based) }
        return shown
    }

    /// Saves new deletions of records that are as the server has them, and that no others belong to.
    ///
    /// - Parameter copies: The copies as they were loaded, all of one kind, each once.
    func delete(_ copies: [LocalCopy], of type: any SyncEntity.Type) throws {
        let deleted = copies.map { former in
            var copy = former
            _ = copy.record.append(OpenOperation(.delete, key: identifiers.makeId(), position: .max))
            return copy
        }
        try show(deleted, of: type)
        let added = try deleted.flatMap { copy in
            try copy.record.operations.map { try mutation($0, copy.key, nil) }
        }
        try store.insertMutations(added)
    }
}

extension SyncEntity {
    /// What fold and merge have to know of the kind.
    static var shape: RecordShape { RecordShape(Self.self) }
}

extension Base {
    init(_ stored: RecordBase) {
        if stored.isDeleted {
            self = .tombstone(revision: stored.revision, last: stored.document)
        } else {
            self = .document(stored.document ?? [:], revision: stored.revision)
        }
    }

    fileprivate var withoutLast: Base {
        if case .tombstone(let revision, _) = self { .tombstone(revision: revision) } else { self }
    }

    /// The base as a store keeps it; nil if the server has nothing.
    func stored(_ entityType: EntityType, _ id: String, _ created: Int64) -> RecordBase? {
        switch self {
        case .nothing: nil
        case .document(let document, let revision):
            RecordBase(entityType, id: id, document: document, revision: revision, createdRevision: created)
        case .tombstone(let revision, let last):
            RecordBase(entityType, id: id, document: last, isDeleted: true, revision: revision)
        }
    }
}
