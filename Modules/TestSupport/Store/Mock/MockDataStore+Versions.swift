public import TrendyDomain

extension MockDataStore {
    /// Reads records; the call has the ids that were asked for, found or not.
    public func fetch<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: LocalRecord<Entity>] {
        try record(.fetch, type, ids) { try base.fetch(type, ids: ids) }
    }

    /// Reads the status and revisions of records; the call has the ids that were asked for.
    public func standings(_ entityType: EntityType, ids: [String]) throws -> [String: RecordStanding] {
        try record(.standings, entityType, ids) { try base.standings(entityType, ids: ids) }
    }

    /// Finds ids; the call does not say which condition they had to meet.
    public func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String] {
        try record(.ids, entityType) { try base.ids(entityType, where: condition, limit: limit) }
    }

    /// Puts records in; the call has their ids.
    public func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        try record(.upsert, Entity.self, records.map(\.id)) { try base.upsert(contentsOf: records) }
    }

    /// Removes records; the call has the ids that were asked for, found or not.
    public func delete(_ entityType: EntityType, ids: [String]) throws {
        try record(.delete, entityType, ids) { try base.delete(entityType, ids: ids) }
    }

    /// Sets records to synced; the call has the ids.
    public func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws {
        try record(.confirm, entityType, confirmations.map(\.id)) { try base.confirm(entityType, confirmations) }
    }

    /// Reads bases; the call has the ids that were asked for.
    public func bases(_ entityType: EntityType, ids: [String]) throws -> [String: RecordBase] {
        try record(.bases, entityType, ids) { try base.bases(entityType, ids: ids) }
    }

    /// Finds bases; the call does not say which condition they had to meet.
    public func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String] {
        try record(.baseIds, entityType) { try base.baseIds(entityType, where: condition) }
    }

    /// Puts bases in; the call has their ids and the kind of the first.
    public func putBases(_ bases: [RecordBase]) throws {
        try record(.putBases, bases.first?.entityType, bases.map(\.id)) { try base.putBases(bases) }
    }

    /// Removes bases; the call has the ids that were asked for.
    public func deleteBases(_ entityType: EntityType, ids: [String]) throws {
        try record(.deleteBases, entityType, ids) { try base.deleteBases(entityType, ids: ids) }
    }

    /// Makes all revisions void.
    public func voidRevisions(keepingFormer: Bool) throws {
        try record(MockStoreCall(.voidRevisions)) { try base.voidRevisions(keepingFormer: keepingFormer) }
    }

    /// Marks records; the call has their ids.
    public func mark(_ entityType: EntityType, ids: [String]) throws {
        try record(.mark, entityType, ids) { try base.mark(entityType, ids: ids) }
    }

    /// Lists unmarked ids; the call has no ids.
    public func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String] {
        try record(.unmarkedIds, entityType) { try base.unmarkedIds(entityType, after: id, limit: limit) }
    }

    /// Forgets all marks.
    public func clearMarks() throws {
        try record(MockStoreCall(.clearMarks)) { try base.clearMarks() }
    }

    /// Reads open mutations; the call has the ids of the records.
    public func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        try record(.openMutations, entityType, ids) { try base.openMutations(entityType, ids: ids) }
    }

    /// Replaces mutations; the call has their ids.
    public func updateMutations(_ mutations: [PendingMutation]) throws {
        var call = MockStoreCall(.updateMutations)
        call.mutationIds = mutations.map(\.id)
        try record(call) { try base.updateMutations(mutations) }
    }

    /// Settles mutations; the call has their ids.
    public func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws {
        var call = MockStoreCall(.acceptMutations)
        call.mutationIds = ids
        try record(call) { try base.acceptMutations(ids, at: moment) }
    }

    private func record<Result>(
        _ operation: MockStoreOperation, _ entityType: EntityType?, _ ids: [String] = [], serve: () throws -> Result
    ) throws -> Result {
        var call = MockStoreCall(operation, entityType)
        call.entityIds = ids
        return try record(call, serve: serve)
    }
}
