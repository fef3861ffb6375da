public import TrendyDomain

// For people: what helps when something is stuck.

extension SyncEngine {
    /// Closes the circuit breaker, so that the next sync sends at once.
    ///
    /// - Throws: ``StoreError``.
    public func resetCircuitBreaker() throws {
        let store = try stores.makeDataStore()
        try store.setMetadata(MetadataKey.breaker, nil)
        try store.save()
        if case .rateLimited = state { broadcaster.send(.idle) }
    }

    /// Parks everything that waits; nothing is deleted, and each can be retried.
    ///
    /// - Returns: How many were parked.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func clearPendingMutations() throws -> Int {
        let store = try stores.makeDataStore()
        try store.begin()
        let waiting = try store.fetchMutations(.unsent)
        for var mutation in waiting {
            // One that is under way may have arrived.
            if mutation.state == .sending { mutation.attempts += 1 }
            mutation.state = .parked(ParkReason(code: .cleared, message: "the queue was cleared"))
            mutation.settledAt = wallClock.now()
            mutation.batchKey = nil
            try store.updateMutation(mutation)
            if let type = schema.type(for: mutation.entityType) {
                try store.setSyncStatus(type, id: mutation.entityId, .failed)
            }
        }
        try store.save()
        noteWritten(0)
        return waiting.count
    }

    /// Passes over everything that the feed holds up to now, without applying it.
    ///
    /// Records here may then lack what others did; ``forceFullResync()`` brings it back.
    ///
    /// - Throws: ``StoreError`` or ``APIError``.
    public func skipToLatestCursor() async throws {
        let latest = try await networkClient.getLatestCursor()
        let store = try stores.makeDataStore()
        try store.begin()
        guard latest > (try store.cursor() ?? -1) else { return }
        try store.setMetadata(MetadataKey.cursor, String(latest))
        try store.setValue(FeedWindow(settled: latest), for: MetadataKey.feedWindow)
        try EchoWatch(store: store).endAll()
        try store.save()
    }

    /// A mutation of the ledger; nil where there is none, or it was settled long ago.
    ///
    /// - Throws: ``StoreError``.
    public func mutation(id: Int64) throws -> PendingMutation? {
        try stores.makeDataStore().findMutation(id: id)
    }

    /// The mutations of the ledger that meet a query.
    ///
    /// - Throws: ``StoreError``.
    public func mutations(_ query: MutationQuery = .unsent) throws -> [PendingMutation] {
        try stores.makeDataStore().fetchMutations(query)
    }

    /// Puts a parked mutation back into the queue.
    ///
    /// - Throws: ``StoreError``, or ``SyncEngineError/unknownMutation(_:)`` where there is no parked one of that id.
    public func retryMutation(id: Int64) throws {
        let store = try stores.makeDataStore()
        try store.begin()
        guard var mutation = try store.findMutation(id: id), mutation.state.name == .parked else {
            throw SyncEngineError.unknownMutation(id)
        }
        mutation.state = .queued
        mutation.settledAt = nil
        try store.updateMutation(mutation)
        if let type = schema.type(for: mutation.entityType) {
            try store.setSyncStatus(type, id: mutation.entityId, .pending)
        }
        try store.save()
    }

    /// The past syncs, oldest first.
    ///
    /// - Throws: ``StoreError``.
    public func history() throws -> [SyncHistoryEntry] {
        try stores.makeDataStore().fetchDocuments(SyncHistoryEntry.self)
    }

    /// The conflicts that are listed.
    ///
    /// - Throws: ``StoreError``.
    public func conflicts() throws -> [SyncConflict] {
        try stores.makeDataStore().fetchDocuments(SyncConflict.self)
    }
}
