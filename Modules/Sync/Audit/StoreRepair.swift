import TrendyDomain

/// Mends the differences between a device and the server without discarding what was logged.
///
/// What the server has comes in as a pull would bring it, beneath the edits that wait. A record that only this device
/// has is sent, unless the feed or the ledger shows that it was deleted on the server: see
/// `Docs/decisions/0013-a-repair-sends-what-only-the-device-has.md`.
struct StoreRepair<Entity: SyncEntity> {
    let cycle: SyncCycle
    let check: DifferenceCheck<Entity>

    /// How many records one save mends.
    private static var saveSize: Int { 100 }

    /// Answers the differences with what was done about each.
    func mend(_ differences: [RecordDifference], by audit: StoreAudit) async throws -> [RecordDifference] {
        let lone = differences.filter { $0.kind == .onlyHere }.map(\.entityId)
        let keys = try cycle.read { store in try Set(lone.flatMap { try askedOfFeed($0, in: store) }) }
        let history = try await DeletionHistory.read(of: keys, by: audit)
        var mended: [RecordDifference] = []
        var rest = differences[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Self.saveSize)
            rest = rest.dropFirst(chunk.count)
            mended += try cycle.write { store in
                let work = RecordMending<Entity>(cycle: cycle, store: store, history: history)
                return try chunk.map { difference in
                    var done = difference
                    done.outcome = try work.mend(difference.entityId, check.remote(difference.entityId, in: store))
                    return done
                }
            }
        }
        return mended
    }

    /// What the feed is asked about a record that only this device has: nothing where it has never been on the server.
    private func askedOfFeed(_ id: String, in store: any DataStoreProtocol) throws -> [RecordKey] {
        guard case .record(let here)? = try RecordPairs<Entity>.row(id, in: store),
            try here.wasOnServer(in: store)
        else { return [] }
        return try [RecordKey(entityType: Entity.entityType, entityId: id)] + here.entity.requiredParents
    }
}

/// Mends one record after the other, in a unit of work that the caller saves.
private struct RecordMending<Entity: SyncEntity> {
    let store: any DataStoreProtocol
    let history: DeletionHistory
    private let cycle: SyncCycle
    private let applier: RemoteApplier
    private let judge: RecordJudge<Entity>

    init(cycle: SyncCycle, store: any DataStoreProtocol, history: DeletionHistory) {
        self.cycle = cycle
        self.store = store
        self.history = history
        applier = cycle.applier(on: store)
        judge = RecordJudge(store: store, schema: cycle.schema)
    }

    func mend(_ id: String, _ remote: Remote<Entity>?) throws -> RecordDifference.Outcome {
        let row = try RecordPairs<Entity>.row(id, in: store)
        guard case .different(let present, _) = try judge.judge(RecordPairs.Pair(here: row, there: remote)) else {
            return .left("it was changed here meanwhile")
        }
        switch (present.kind, row, remote) {
        case (.onlyHere, .record(let here)?, _): return try settleLone(here)
        case (.fields(let fields), .record(let here)?, let remote?):
            try keepLosses(fields, of: here, to: remote)
            return try bringIn(remote)
        case (.unreadable, _, let remote?):
            try store.delete(Entity.self, id: id)
            return try bringIn(remote)
        case (.unreadable, _, nil): return .left("it cannot be read, and the server does not have it")
        case (_, _, let remote?): return try bringIn(remote)
        case (_, _, nil): return .left("the server does not have it")
        }
    }

    private func bringIn(_ remote: Remote<Entity>) throws -> RecordDifference.Outcome {
        try applier.upsert(remote)
        let row = try RecordPairs<Entity>.row(remote.id, in: store)
        switch try judge.judge(RecordPairs.Pair(here: row, there: remote)) {
        case .equal, .waiting: return .broughtIn
        case .absent, .different: return .left("the server's version cannot be put in here")
        }
    }

    /// Lists the values that give way, so that they can be restored: where the server has not changed the record since
    /// the version that this device knows, they may be what a person entered.
    private func keepLosses(
        _ fields: [FieldDifference], of here: LocalRecord<Entity>, to remote: Remote<Entity>
    ) throws {
        if here.syncStatus == .synced, remote.server.isNewer(than: here.server) { return }
        let edited = Set(
            try store.openMutations(Entity.entityType, here.id).flatMap { edit in
                (try? edit.patch(of: Entity.self))?.changes.keys.map { $0 } ?? []
            })
        for difference in fields where difference.here != .null && !edited.contains(difference.field) {
            try store.putDocument(
                SyncConflict(
                    id: cycle.identifiers.makeId(), kind: .field, entityType: Entity.entityType, entityId: here.id,
                    field: difference.field, localValue: difference.there, remoteValue: difference.here,
                    detectedAt: cycle.wallClock.now()))
        }
    }

    // MARK: Only here

    private func settleLone(_ here: LocalRecord<Entity>) throws -> RecordDifference.Outcome {
        if try here.wasOnServer(in: store) {
            if try wasDeleted(here) { return try takeOut(here) }
            if !history.isWhole {
                return .left("the server's feed is too long to tell whether it was deleted there")
            }
        }
        do {
            let ledger = LedgerEditor(writer: cycle.writer(on: store))
            try MutationRetry(ledger: ledger).putBack(Entity.self, here.id)
            return .queued
        } catch let error as LedgerError {
            return .left(error.description)
        }
    }

    private func wasDeleted(_ here: LocalRecord<Entity>) throws -> Bool {
        let parents = try here.entity.requiredParents
        if history.deleted.contains(RecordKey(entityType: Entity.entityType, entityId: here.id)) { return true }
        if parents.contains(where: history.deleted.contains) { return true }
        return try store.ledger(Entity.entityType, here.id).last?.operation == .delete
    }

    private func takeOut(_ here: LocalRecord<Entity>) throws -> RecordDifference.Outcome {
        try applier.delete(Entity.self, id: here.id)
        let isGone = try store.find(Entity.self, id: here.id) == nil
        return isGone ? .removed : .left("it was deleted on the server, and a change of it waits here")
    }
}

extension LocalRecord {
    /// Whether the server has ever had the record, by what is known of it here.
    fileprivate func wasOnServer(in store: any DataStoreProtocol) throws -> Bool {
        try server != ServerFields() || !store.ledger(Entity.entityType, id).isEmpty
    }
}

extension SyncEntity {
    /// The records that it cannot be without.
    fileprivate var requiredParents: [RecordKey] {
        get throws {
            let fields = try StringFields.of(self)
            return Self.parents.filter { $0.onDelete == .cascade }.compactMap { reference in
                fields[reference.field].map { RecordKey(entityType: reference.entityType, entityId: $0) }
            }
        }
    }
}

extension DataStoreProtocol {
    /// What the server has accepted of a record, as far as the ledger remembers.
    fileprivate func ledger(_ entityType: EntityType, _ entityId: String) throws -> [PendingMutation] {
        try fetchMutations(MutationQuery(states: [.accepted], entityType: entityType, entityId: entityId))
    }
}
