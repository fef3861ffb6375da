extension DataStoreProtocol {
    /// Appends one mutation after the other.
    public func insertMutations(_ mutations: [PendingMutation]) throws {
        for mutation in mutations { try insertMutation(mutation) }
    }
}

// The queue methods that the project was asked for by name, over the generic ones.

extension DataStoreProtocol {
    /// The mutations that are queued or sending, in order.
    public func fetchPendingMutations() throws -> [PendingMutation] {
        try fetchMutations(.unsent)
    }

    /// Whether such a mutation is queued or sending.
    public func hasPendingMutation(
        entityId: String, entityType: MutationEntityType, operation: MutationOperation
    ) throws -> Bool {
        var query = MutationQuery.unsent
        query.entityId = entityId
        query.entityType = entityType
        query.operations = [operation]
        return try countMutations(query) > 0
    }

    /// Appends a mutation to the queue. Answers it with the id that it was given.
    @discardableResult
    public func insertPendingMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        try insertMutation(mutation)
    }

    /// Removes a mutation for good.
    public func deletePendingMutation(_ mutation: PendingMutation) throws {
        try deleteMutation(id: mutation.id)
    }
}
