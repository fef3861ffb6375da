import TrendyDomain

/// Applies records and tombstones of the server, in one unit of work that the caller saves.
///
/// A change is applied if its revision is not smaller than the stored one. One with the same revision replaces what
/// this device has computed of a result.
struct ReceivedChanges {
    let replica: Replica
    let shelf: QuarantineShelf
    let isMarking: Bool
    /// What the server has lost, if the changes are of another history than the records here.
    private(set) var lost: LostVersions?
    /// How many records and deletions were new here.
    private(set) var news = 0
    /// Whether operations may be sent now that could not be before.
    private(set) var isWorkLeft = false

    init(_ replica: Replica, shelf: QuarantineShelf, _ place: ExchangePlace) {
        self.replica = replica
        self.shelf = shelf
        isMarking = place.isMarking
        if place.resync == .epoch { lost = LostVersions(replica: replica, shared: place.shared) }
    }

    private var store: any DataStoreProtocol { replica.store }

    /// Applies changes: records with parents' kinds first, then tombstones with children's kinds first.
    mutating func apply(_ changes: ReadChanges) throws {
        for type in replica.schema.types { try lost?.compare(changes, type) }
        for type in replica.schema.types { try place(changes, type) }
        for type in replica.schema.types.reversed() {
            let tombstones = changes.tombstones(type.entityType)
            if !tombstones.isEmpty { try bury(type, tombstones) }
        }
        for change in changes.unknown {
            if change.deleted {
                try shelf.forget([change])
            } else {
                try shelf.put(change, because: "this version knows no records of the kind \(change.entityType)")
            }
        }
    }

    // MARK: Records

    private mutating func place<Entity: SyncEntity>(_ changes: ReadChanges, _ type: Entity.Type) throws {
        let items = try changes.items(type)
        if items.isEmpty { return }
        let ids = items.map(\.change.entityId)
        if isMarking { try store.mark(Entity.entityType, ids: ids) }
        let standings = try store.standings(Entity.entityType, ids: ids)
        let bases = try store.bases(Entity.entityType, ids: ids)
        let open = Set(try store.openKeys(Entity.entityType, ids: ids).keys)
        // What is changed by the record at the same place.
        var taken: [ReadChanges.Item<Entity>] = []
        var records: [LocalRecord<Entity>] = []
        records.reserveCapacity(items.count)
        for item in items {
            let change = item.change
            if !open.contains(change.entityId), bases[change.entityId] == nil,
                let standing = standings[change.entityId], standing.revision > change.revision
            {
                continue
            }
            switch item.record {
            case .success(let record):
                records.append(record)
                taken.append(item)
            case .failure(let error): try shelf.put(change, because: ReadChanges.reason(error))
            }
        }
        try shelf.forget(taken.map(\.change))
        try ConflictList(replica: replica).removeRegained(in: records)
        let (undone, older) = try lost?.list(records) ?? ([:], [])
        let beneathDeleted = try withDeletedParent(taken)
        // A record that is open here may be shown although the server had none.
        let new = taken.map(\.change.entityId).filter { id in
            bases[id]?.isDeleted ?? (standings[id] == nil || open.contains(id))
        }
        let unknown = Set(taken.map(\.change.entityId)).filter { id in
            standings[id] == nil && bases[id] == nil && !open.contains(id)
        }
        let givenUp = try GivenUpRecords(replica: replica).among(Entity.entityType, unknown)
        let isPlain = { id in
            !open.contains(id) && bases[id] == nil && !beneathDeleted.contains(id) && givenUp[id] == nil
        }
        let merged = taken.indices.filter { !isPlain(taken[$0].change.entityId) }
        for place in merged {
            let id = taken[place].change.entityId
            if let copy = undone[id] {
                try lost?.park(deletionOf: copy, records[place])
            } else {
                try merge(type, taken[place].change, records[place], givenUp: givenUp[id])
            }
        }
        try LostMoves(replica: replica).keep(older)
        for place in merged.reversed() {
            records.remove(at: place)
            taken.remove(at: place)
        }
        try store.upsert(contentsOf: records)
        news += taken.count { standings[$0.change.entityId]?.revision != $0.change.revision }
        // What belongs to a record that is deleted here goes on waiting.
        let present = Set(new).subtracting(undone.keys)
        if !present.isEmpty, !replica.schema.children(of: Entity.entityType).isEmpty,
            try replica.unblock(childrenOf: present, type)
        {
            isWorkLeft = true
        }
    }

    /// The records that refer to one which is deleted here by an open operation.
    private func withDeletedParent<Entity: SyncEntity>(_ items: [ReadChanges.Item<Entity>]) throws -> Set<String> {
        var (found, deletions): (Set<String>, OpenDeletions) = ([], OpenDeletions(replica: replica))
        for parent in Entity.parents {
            let ids = Set(items.compactMap { $0.parents[parent.field] })
            let deleted = try deletions.deleted(parent.entityType, among: ids)
            if deleted.isEmpty { continue }
            for item in items {
                if let id = item.parents[parent.field], deleted.contains(id) { found.insert(item.change.entityId) }
            }
        }
        return found
    }

    /// - Parameter givenUp: What is remembered of the record if it was given up here.
    private mutating func merge<Entity: SyncEntity>(
        _ type: Entity.Type, _ change: SyncChange, _ record: LocalRecord<Entity>, givenUp: GivenUpRecord?
    ) throws {
        let copy = try replica.load(type, record.id)
        if let givenUp {
            news += 1
            isWorkLeft = true
            return try GivenUpRecords(replica: replica).delete(
                copy, try record.document, revision: change.revision, created: change.createdRevision ?? 0,
                as: givenUp, raw: change.record)
        }
        guard change.revision >= copy.record.base.revision else { return }
        if change.revision != copy.record.base.revision { news += 1 }
        // An operation that was sent without an answer may be settled by this, and the next one of the record can go.
        if !copy.record.operations.isEmpty { isWorkLeft = true }
        try replica.merge(
            copy, .document(record.document, revision: change.revision), created: change.createdRevision ?? 0,
            raw: change.record, isOfOtherHistory: lost != nil)
    }

    // MARK: Tombstones

    private mutating func bury(_ type: any SyncEntity.Type, _ changes: [SyncChange]) throws {
        let kind = type.entityType
        let ids = changes.map(\.entityId)
        if isMarking { try store.mark(kind, ids: ids) }
        try shelf.forget(changes)
        try GivenUpRecords(replica: replica).forget(ids.map { RecordKey(kind, $0) })
        let open = Set(try store.openKeys(kind, ids: ids).keys)
        let standings = try store.standings(kind, ids: ids)
        let bases = try store.bases(kind, ids: ids)
        var gone: [RecordBase] = []
        let kept = try TakenBackDeletions(replica: replica).kept()
        for change in changes {
            let isOpen = open.contains(change.entityId)
            let copy = try isOpen || !kept.isEmpty ? replica.load(type, change.entityId) : nil
            if let copy, try isOpen || kept.edited(copy) != nil {
                guard change.revision > copy.record.base.revision else { continue }
                news += 1
                try replica.merge(copy, .tombstone(revision: change.revision), created: 0, raw: nil)
                continue
            }
            let known = [standings[change.entityId]?.revision, bases[change.entityId]?.revision].compactMap { $0 }
            guard let newest = known.max(), newest < change.revision else { continue }
            gone.append(
                RecordBase(kind, id: change.entityId, document: nil, isDeleted: true, revision: change.revision))
        }
        try store.delete(kind, ids: gone.map(\.id))
        try store.putBases(gone)
        news += gone.count
    }
}
