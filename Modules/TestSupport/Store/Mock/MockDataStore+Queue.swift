public import TrendyDomain

extension MockDataStore {
    /// Appends to the queue; the call has the mutation as it came, without the id that the store gives it.
    @discardableResult
    public func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        try record(Self.call(.insertMutation, mutation)) { try base.insertMutation(mutation) }
    }

    /// Replaces a mutation; the call has the new one whole.
    public func updateMutation(_ mutation: PendingMutation) throws {
        try record(Self.call(.updateMutation, mutation)) { try base.updateMutation(mutation) }
    }

    /// Marks mutations as sending; the call has their ids.
    public func markSending(_ ids: [Int64]) throws {
        try record(Self.call(.markSending, ids: ids)) { try base.markSending(ids) }
    }

    /// Removes a mutation for good; the call has its id.
    public func deleteMutation(id: Int64) throws {
        try record(Self.call(.deleteMutation, ids: [id])) { try base.deleteMutation(id: id) }
    }

    /// Finds a mutation; the call has the id that was asked for, found or not.
    public func findMutation(id: Int64) throws -> PendingMutation? {
        try record(Self.call(.findMutation, ids: [id])) { try base.findMutation(id: id) }
    }

    /// Reads mutations; the call has the kind that the query asks for, nil for all, and nothing else of it.
    public func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        try record(MockStoreCall(.fetchMutations, query.entityType)) { try base.fetchMutations(query) }
    }

    /// Counts mutations; the call has the kind that the query asks for, nil for all, and nothing else of it.
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
