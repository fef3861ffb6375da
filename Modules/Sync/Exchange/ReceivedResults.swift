import TrendyDomain

/// Applies what became of the operations of one request, in one unit of work that the caller saves.
struct ReceivedResults {
    let replica: Replica
    let shelf: QuarantineShelf
    /// The device has received all changes up to this revision.
    let head: Int64
    /// How many operations the server has accepted.
    var accepted = 0
    /// How many records that came with the results were new here.
    private(set) var news = 0
    /// Whether something is still to be sent.
    var isWorkLeft = false
    /// The operations that were not simply accepted, and may be sent again.
    private(set) var unsettled: [Int64: SyncOutcome] = [:]
    /// The records that stepped aside for others of the same name.
    var sameNames: [SameName] = []
    /// The ids of mutations that wait for the server's clock.
    private(set) var early: [Int64] = []

    init(_ replica: Replica, shelf: QuarantineShelf, head: Int64) {
        self.replica = replica
        self.shelf = shelf
        self.head = head
    }

    private var store: any DataStoreProtocol { replica.store }

    mutating func apply(_ results: [SyncResult], to shipment: Shipment) throws {
        let answered = shipment.answered(by: results)
        // What was left out with one of these can go now.
        let doubtful = Set(shipment.doubtful.map(\.mutation.id))
        if answered.contains(where: { doubtful.contains($0.item.mutation.id) }) { isWorkLeft = true }
        let settled = try settlePlain(answered)
        let others = answered.filter { !settled.contains($0.result.key) }
        // What became of the other record has to be known before a duplicate merges into it.
        let duplicates = others.filter { $0.result.outcome == .duplicate }
        for (item, result) in others.filter({ $0.result.outcome != .duplicate }) + duplicates {
            if result.outcome != .accepted { unsettled[item.mutation.id] = result.outcome }
            try settle(item, result)
        }
    }

    /// Settles the usual case, in sets: the only operation of a record was accepted as it was sent, so the visible
    /// record is the server's version. Returns the keys.
    private mutating func settlePlain(_ answered: [(item: Shipment.Item, result: SyncResult)]) throws -> Set<String> {
        let isRetryAwaited =
            try answered.contains { $0.result.outcome == .blocked }
            || store.countMutations(MutationQuery(states: [.parked])) > 0
        var keys = Set<String>(minimumCapacity: answered.count)
        for (kind, answered) in Dictionary(grouping: answered, by: \.item.mutation.entityType) {
            guard let type = replica.schema.type(for: kind), try !isParentDeletedHere(type) else { continue }
            let mayFree = isRetryAwaited && !replica.schema.children(of: kind).isEmpty
            let plain = answered.filter {
                $0.result.outcome == .accepted && $0.result.record == nil && isNews($0.result)
                    && !(mayFree && $0.item.mutation.operation == .create)
            }
            let ids = plain.map(\.item.mutation.entityId)
            let open = try store.openKeys(kind, ids: ids)
            let standings = try store.standings(kind, ids: ids)
            let made = plain.map(\.item.mutation).filter { $0.operation == .create }.map(\.entityId)
            // What is visible of these has values of the record that was there before.
            let remade = try store.bases(kind, ids: made).filter { !$0.value.isDeleted }
            let alone = plain.filter {
                let id = $0.item.mutation.entityId
                return open[id] == [$0.result.key] && standings[id] != nil && remade[id] == nil
            }
            try store.confirm(
                kind,
                alone.map { item, result in
                    RecordConfirmation(
                        id: item.mutation.entityId, revision: result.revision,
                        createdRevision: Self.created(item.mutation, result),
                        server: result.server ?? ServerFields())
                })
            try store.deleteBases(kind, ids: alone.map(\.item.mutation.entityId))
            try store.acceptMutations(alone.map(\.item.mutation.id), at: replica.wallClock.now())
            keys.formUnion(alone.map(\.result.key))
        }
        accepted += keys.count
        return keys
    }

    /// Whether readers may see records of a kind without a reference that the server's versions have.
    private func isParentDeletedHere(_ type: any SyncEntity.Type) throws -> Bool {
        try Set(type.parents.map(\.entityType)).contains { kind in
            let deletions = MutationQuery(
                states: [.queued, .sending, .parked], entityType: kind, operations: [.delete])
            return try store.countMutations(deletions) > 0
        }
    }

    /// Whether the result is newer than what the device has received. A replayed result has the revision of then.
    private func isNews(_ result: SyncResult) -> Bool { !result.replayed || result.revision > head }

    private static func created(_ mutation: PendingMutation, _ result: SyncResult) -> Int64? {
        result.createdRevision ?? (mutation.operation == .create ? result.revision : nil)
    }

    // MARK: One by one

    private mutating func settle(_ item: Shipment.Item, _ result: SyncResult) throws {
        let mutation = item.mutation
        guard let type = replica.schema.type(for: mutation.entityType) else { return }
        let copy = try replica.load(type, mutation.entityId)
        var record = copy.record
        guard let index = record.operations.firstIndex(where: { $0.key == result.key }) else {
            // The person has dropped it meanwhile, it says something else by now, under another key, or it has ended with the
            // deletion of a parent.
            if copy.mutations.values.contains(where: { $0.id == mutation.id }) { isWorkLeft = true }
            return try takeIn(result, of: mutation, copy)
        }
        if !item.wasUnanswered || !result.outcome.mayFollowSuccess { record.operations[index].isInFlight = false }
        do {
            switch result.outcome {
            case .accepted: try accept(copy, record, index, result)
            case .stale, .exists: try rebase(copy, record, result)
            case .deleted: try bury(copy, record, index, result)
            case .duplicate: try stepAside(copy, record, index, result)
            case .rejected where result.isTooEarly && mutation.operation == .create:
                try replica.save(copy, as: record)
                early.append(mutation.id)
            case .rejected:
                try refuse(
                    copy, record, index,
                    ParkReason(
                        code: .rejected, message: result.message ?? "the server refuses it",
                        fields: result.errors ?? [], answer: result.answer))
            case .blocked: try block(copy, record, index, result)
            }
        } catch  where error is DecodingError || error is ValidationError {
            try replica.park(
                copy, record, index,
                ParkReason(
                    code: .unreadable, message: "the server's version cannot be read: \(inWords(error))"))
        }
    }

    private mutating func accept(
        _ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ result: SyncResult
    ) throws {
        var record = record
        let mutation = copy.mutations[result.key]
        let isDeletion = record.operations[index].change == .delete
        // Another copy of this store may have made the edit over another version than this one.
        let isOverAnother = result.replayed && result.record != nil && record.operations[index].change.isUpdate
        // The server has the record, so a deletion that waits for that needs no reminder.
        if record.operations.contains(where: { $0.change == .delete }) {
            try GivenUpRecords(replica: replica).forget([copy.key])
        }
        let version = try result.record.map { try received(copy.type, $0, result.revision) }
        let served = try result.server.map { try WireCoding.fields(of: $0) } ?? [:]
        let isMissed =
            !isNews(result) && result.revision > record.base.revision && !(isDeletion && record.base == .nothing)
        let revision = isNews(result) || isMissed ? result.revision : 0
        let early = record.isUnsettled ? record.base.document : nil
        let conflicts = record.accept(
            result.key, revision: revision, record: isOverAnother ? nil : version, served: served,
            isOverAnother: isOverAnother, beside: early == nil ? [] : try replica.replacedChanges(of: copy))
        if isMissed, !isDeletion, !isOverAnother {
            // The device has received or skipped all changes since, and none has brought this result: the record may have
            // changed or gone.
            record.base = record.base.outdated
        }
        // A repeated answer to a create is of the life that the create began, and the record may have another one since.
        let made =
            result.createdRevision
            ?? (mutation?.operation == .create ? max(result.revision, copy.created) : copy.created)
        try replica.save(
            copy, as: record, created: made, carriedOutAt: isDeletion ? result.revision : nil, isJudged: true,
            settled: { $0.key == result.key ? .accepted : .merged(into: mutation?.id) })
        try ConflictList(replica: replica).add(conflicts, of: copy.key, theirs: early.map { .object($0) })
        accepted += 1
        isWorkLeft = isWorkLeft || isDeletion || isMissed || !record.operations.isEmpty
        if isOverAnother, let version, revision > record.base.revision {
            let copy = try replica.load(copy.type, copy.key.id)
            try replica.merge(
                copy, .document(version, revision: revision), created: result.createdRevision ?? 0, raw: result.record)
        }
        if mutation?.operation == .create, try replica.unblock(childrenOf: [copy.key.id], copy.type) {
            isWorkLeft = true
        }
    }

    /// Takes in what the server has made of an operation of which nothing is left here, like a change that others have made.
    private mutating func takeIn(_ result: SyncResult, of mutation: PendingMutation, _ copy: LocalCopy) throws {
        guard result.outcome == .accepted, isNews(result), result.revision > copy.record.base.revision else { return }
        var record = copy.record
        if mutation.operation == .update {
            record.base = record.base.outdated
            if record.operations.isEmpty { record.operations = [.question(replica.identifiers.makeId())] }
            try replica.save(copy, as: record)
            isWorkLeft = true
            return
        }
        guard record.operations.isEmpty else { return }
        news += 1
        if mutation.operation == .delete {
            return try replica.merge(copy, .tombstone(revision: result.revision), created: 0, raw: nil)
        }
        let sent = try mutation.payload.map { try WireCoding.decode(JSONValue.self, from: $0) }
        let served = try result.server.map { try WireCoding.fields(of: $0) } ?? [:]
        let (made, created) = (result.record ?? sent ?? .null, Self.created(mutation, result) ?? 0)
        do {
            let version = try received(copy.type, made, result.revision)
            try replica.merge(
                copy, .document(version.merging(served) { $1 }, revision: result.revision), created: created,
                raw: result.record)
        } catch  where error is DecodingError || error is ValidationError {
            // No change brings it again, because the server knows who has made it.
            let change = SyncChange(
                entityType: copy.key.entityType, entityId: copy.key.id, revision: result.revision,
                createdRevision: created, record: made)
            try shelf.put(change, because: inWords(error))
        }
    }

    private mutating func rebase(_ copy: LocalCopy, _ record: OpenRecord, _ result: SyncResult) throws {
        let version = try received(copy.type, result.record ?? .null, result.revision)
        isWorkLeft = true
        guard result.revision >= record.base.revision else {
            // The stored version is newer, so the operation is sent again with that as its base.
            try replica.save(copy, as: record)
            return
        }
        if result.revision > record.base.revision { news += 1 }
        try replica.merge(
            copy, from: record, .document(version, revision: result.revision), created: result.createdRevision ?? 0,
            raw: result.record, refusing: result.key)
        if record.base.document == nil { _ = try replica.unblock(childrenOf: [copy.key.id], copy.type) }
    }

    private mutating func bury(_ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ result: SyncResult) throws {
        var record = record
        let theirs: Base = result.revision > 0 ? .tombstone(revision: result.revision) : .nothing
        if record.operations[index].change == .delete {
            let deletion = copy.mutations[result.key]
            record.operations.removeSubrange(...index)
            record.base = theirs
            if theirs != .nothing { try GivenUpRecords(replica: replica).forget([copy.key]) }
            // As with an accepted deletion, the operations before it end with it.
            try replica.save(
                copy, as: record, carriedOutAt: theirs == .nothing ? .max : theirs.revision,
                settled: {
                    $0.key == result.key ? .accepted : .merged(into: deletion?.id)
                })
            isWorkLeft = true
            return
        }
        if theirs != .nothing || record.base != .nothing {
            if theirs.revision > record.base.revision { news += 1 }
            try replica.merge(copy, from: record, theirs, created: 0, raw: nil)
            isWorkLeft = true
        } else {
            try replica.park(
                copy, record, index, ParkReason(code: .deletedElsewhere, message: "the server does not have it"))
        }
    }

    private mutating func block(
        _ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ result: SyncResult
    ) throws {
        if try isParentOnItsWay(record.operations[index], copy.type) {
            isWorkLeft = true
            try replica.save(copy, as: record)
            return
        }
        let parent = result.errors?.first?.field.replacing("_id", with: "").replacing("_", with: " ") ?? "a record"
        try refuse(
            copy, record, index,
            ParkReason(
                code: .blocked, message: result.message ?? "the server does not have the \(parent) that it belongs to",
                fields: result.errors ?? []))
    }

    private func isParentOnItsWay(_ operation: OpenOperation, _ type: any SyncEntity.Type) throws -> Bool {
        guard let document = operation.change.payload else { return false }
        return try type.parents.contains { reference in
            guard let id = document[reference.field]?.stringValue else { return false }
            return try store.openMutations(reference.entityType, ids: [id])
                .contains { $0.operation == .create && $0.state.isUnsent }
        }
    }

    mutating func refuse(
        _ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ reason: ParkReason
    ) throws {
        var copy = copy
        if reason.code == .rejected {
            // What queues it again counts its attempts anew.
            let key = record.operations[index].key
            copy.mutations[key]?.attempts += 1
            copy.mutations[key]?.lastAttemptAt = replica.wallClock.now()
        }
        if try replica.refuse(copy, record, index, reason) { isWorkLeft = true }
    }

    func received(
        _ type: any SyncEntity.Type, _ value: JSONValue, _ revision: Int64
    ) throws -> RecordDocument {
        func read<Entity: SyncEntity>(_ type: Entity.Type) throws -> RecordDocument {
            try Entity.received(value, revision, created: 0).document
        }
        return try read(type)
    }
}

extension Shipment {
    /// The results with their operations. Servers mostly answer in the order of the operations.
    fileprivate func answered(by results: [SyncResult]) -> [(item: Item, result: SyncResult)] {
        if isAnswered(inOrderBy: results) { return Array(zip(items, results)) }
        let known = Dictionary((items + doubtful).map { ($0.mutation.clientRequestId, $0) }) { $1 }
        return results.compactMap { result in known[result.key].map { (item: $0, result: result) } }
    }

    /// Whether there is one result for each operation, in their order.
    func isAnswered(inOrderBy results: [SyncResult]) -> Bool {
        items.count == results.count
            && items.indices.allSatisfy { items[$0].mutation.clientRequestId == results[$0].key }
    }
}

extension SyncOutcome {
    /// Whether a server that has carried the operation out, and has forgotten the key, gives this outcome.
    fileprivate var mayFollowSuccess: Bool {
        switch self {
        case .stale, .exists, .deleted: true
        case .accepted, .duplicate, .rejected, .blocked: false
        }
    }
}
