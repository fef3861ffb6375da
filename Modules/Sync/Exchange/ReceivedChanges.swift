import TrendyDomain

/// Applies records and tombstones of the server, in one unit of work that the caller saves.
///
/// A change is applied if its revision is not smaller than the stored one. One with the same revision replaces what
/// this device has computed of a result.
struct ReceivedChanges {
    let replica: Replica
    let shelf: QuarantineShelf
    let isMarking: Bool
    /// Whether the changes are of another history of the server than the records here.
    let isOtherHistory: Bool
    /// How many records and deletions were new here.
    private(set) var news = 0
    /// Whether operations may be sent now that could not be before.
    private(set) var isWorkLeft = false

    init(_ replica: Replica, shelf: QuarantineShelf, _ place: ExchangePlace) {
        self.replica = replica
        self.shelf = shelf
        isMarking = place.isMarking
        isOtherHistory = place.resync == .epoch
    }

    private var store: any DataStoreProtocol { replica.store }

    /// Applies changes: records with parents' kinds first, then tombstones with children's kinds first.
    mutating func apply(_ changes: [SyncChange]) throws {
        let kinds = Dictionary(grouping: changes, by: \.entityType)
        for type in replica.schema.types {
            let records = (kinds[type.entityType] ?? []).filter { !$0.deleted }
            if !records.isEmpty { try place(type, records) }
        }
        for type in replica.schema.types.reversed() {
            let tombstones = (kinds[type.entityType] ?? []).filter(\.deleted)
            if !tombstones.isEmpty { try bury(type, tombstones) }
        }
        for change in changes where replica.schema.type(for: change.entityType) == nil {
            if change.deleted {
                try shelf.forget([change])
            } else {
                try shelf.put(change, because: "this version knows no records of the kind \(change.entityType)")
            }
        }
    }

    // MARK: Records

    private mutating func place<Entity: SyncEntity>(_ type: Entity.Type, _ changes: [SyncChange]) throws {
        let ids = changes.map(\.entityId)
        if isMarking { try store.mark(Entity.entityType, ids: ids) }
        let standings = try store.standings(Entity.entityType, ids: ids)
        let bases = try store.bases(Entity.entityType, ids: ids)
        let open = Set(try store.openKeys(Entity.entityType, ids: ids).keys)
        let known = Entity.receivedFields
        // What is changed by the record at the same place.
        var taken: [SyncChange] = []
        var records: [LocalRecord<Entity>] = []
        records.reserveCapacity(changes.count)
        for change in changes {
            if !open.contains(change.entityId), bases[change.entityId] == nil,
                let standing = standings[change.entityId], standing.revision > change.revision
            {
                continue
            }
            do {
                let record = try Entity.received(change, known: known)
                guard record.id == change.entityId else { throw WrongId() }
                records.append(record)
                taken.append(change)
            } catch {
                try shelf.put(change, because: Self.reason(error))
            }
        }
        try shelf.forget(taken)
        if isOtherHistory { try listLost(records) }
        let orphans = try withoutShownParent(records)
        let new = taken.map(\.entityId).filter { standings[$0] == nil }
        let isPlain = { id in !open.contains(id) && bases[id] == nil && !orphans.contains(id) }
        let merged = taken.indices.filter { !isPlain(taken[$0].entityId) }
        for place in merged { try merge(type, taken[place], records[place]) }
        for place in merged.reversed() {
            records.remove(at: place)
            taken.remove(at: place)
        }
        try store.upsert(contentsOf: records)
        news += taken.count { standings[$0.entityId]?.revision != $0.revision }
        if !new.isEmpty, !replica.schema.children(of: Entity.entityType).isEmpty,
            try replica.unblock(childrenOf: Set(new), type)
        {
            isWorkLeft = true
        }
    }

    /// Lists what a restored server has lost: it shows an older version of a record than the device has had of it.
    private func listLost<Entity: SyncEntity>(_ records: [LocalRecord<Entity>]) throws {
        let known = try replica.load(Entity.self, records.map(\.id))
        for theirs in records {
            guard let copy = known[theirs.id], case .document(let ours, _) = copy.record.base,
                let there = theirs.server.updatedAt, let here = ours.updatedAt, there < here
            else { continue }
            try ConflictList(replica: replica).add(lost: ours, to: theirs.document, copy.record.shape, of: copy.key)
        }
    }

    /// The records whose parent readers do not see. It may be deleted here.
    private func withoutShownParent<Entity: SyncEntity>(_ records: [LocalRecord<Entity>]) throws -> Set<String> {
        let parents = Entity.parents.filter { replica.schema.type(for: $0.entityType) != nil }
        if parents.isEmpty || records.isEmpty { return [] }
        let names = parents.map(\.field)
        let references = try records.map { try StringFields.of($0.entity, among: names) }
        var orphans: Set<String> = []
        for parent in parents {
            let ids = Set(references.compactMap { $0[parent.field] })
            let shown = try store.standings(parent.entityType, ids: Array(ids))
            if shown.count == ids.count { continue }
            for (record, fields) in zip(records, references) {
                if let parentId = fields[parent.field], shown[parentId] == nil { orphans.insert(record.id) }
            }
        }
        return orphans
    }

    private mutating func merge<Entity: SyncEntity>(
        _ type: Entity.Type, _ change: SyncChange, _ record: LocalRecord<Entity>
    ) throws {
        let copy = try replica.load(type, record.id)
        guard change.revision >= copy.record.base.revision else { return }
        let isNews = change.revision != copy.record.base.revision
        if isNews { news += 1 }
        // An operation that was sent without an answer may be settled by this, and the next one of the record can go.
        if !copy.record.operations.isEmpty { isWorkLeft = true }
        let document = try record.document
        try replica.merge(
            copy, .document(document, revision: change.revision), created: change.createdRevision ?? 0,
            raw: change.record)
        if isNews, copy.record.operations.isEmpty, try replica.deletions(of: document, type).isHidden {
            // A person here deleted its parent without having seen this version.
            try ConflictList(replica: replica)
                .add([.editedElsewhere(theirs: document)], of: copy.key, theirs: change.record)
        }
    }

    // MARK: Tombstones

    private mutating func bury(_ type: any SyncEntity.Type, _ changes: [SyncChange]) throws {
        let kind = type.entityType
        let ids = changes.map(\.entityId)
        if isMarking { try store.mark(kind, ids: ids) }
        try shelf.forget(changes)
        let open = Set(try store.openKeys(kind, ids: ids).keys)
        let standings = try store.standings(kind, ids: ids)
        let bases = try store.bases(kind, ids: ids)
        var gone: [RecordBase] = []
        for change in changes {
            if open.contains(change.entityId) {
                let copy = try replica.load(type, change.entityId)
                guard change.revision > copy.record.base.revision else { continue }
                news += 1
                try replica.merge(copy, .tombstone(revision: change.revision), created: 0, raw: nil)
                continue
            }
            let known = max(standings[change.entityId]?.revision ?? -1, bases[change.entityId]?.revision ?? -1)
            guard known >= 0, known < change.revision else { continue }
            gone.append(
                RecordBase(kind, id: change.entityId, document: nil, isDeleted: true, revision: change.revision))
        }
        try store.delete(kind, ids: gone.map(\.id))
        try store.putBases(gone)
        news += gone.count
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as DecodingError: inWords(error)
        case let error as ValidationError: error.description
        case is WrongId: "it says another id than its change"
        default: "\(error)"
        }
    }

    private struct WrongId: Error {}
}
