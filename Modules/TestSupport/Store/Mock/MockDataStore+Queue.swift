public import TrendyDomain

extension MockDataStore {
    @discardableResult
    public func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        try record(Self.call(.insertMutation, mutation)) { try base.insertMutation(mutation) }
    }

    public func updateMutation(_ mutation: PendingMutation) throws {
        try record(Self.call(.updateMutation, mutation)) { try base.updateMutation(mutation) }
    }

    public func markSending(_ ids: [Int64], batchKey: String?) throws {
        try record(Self.call(.markSending, ids: ids)) { try base.markSending(ids, batchKey: batchKey) }
    }

    public func deleteMutation(id: Int64) throws {
        try record(Self.call(.deleteMutation, ids: [id])) { try base.deleteMutation(id: id) }
    }

    public func findMutation(id: Int64) throws -> PendingMutation? {
        try record(Self.call(.findMutation, ids: [id])) { try base.findMutation(id: id) }
    }

    public func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        try record(MockStoreCall(.fetchMutations, query.entityType)) { try base.fetchMutations(query) }
    }

    public func countMutations(_ query: MutationQuery) throws -> Int {
        try record(MockStoreCall(.countMutations, query.entityType)) { try base.countMutations(query) }
    }

    private static func call(_ operation: MockStoreOperation, _ mutation: PendingMutation) -> MockStoreCall {
        var call = MockStoreCall(operation, mutation.entityType)
        call.entityIds = [mutation.entityId]
        call.mutation = mutation
        call.mutationIds = operation == .insertMutation ? [] : [mutation.id]
        return call
    }

    private static func call(_ operation: MockStoreOperation, ids: [Int64]) -> MockStoreCall {
        var call = MockStoreCall(operation)
        call.mutationIds = ids
        return call
    }
}
