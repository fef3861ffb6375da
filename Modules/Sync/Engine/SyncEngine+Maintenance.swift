public import TrendyDomain

// For people: what helps when something is stuck.

extension SyncEngine {
    /// Closes the circuit breaker, so that the next sync sends at once.
    ///
    /// - Parameter server: The name of the server whose pause ends; nil for that of the engine's client.
    /// - Throws: ``StoreError``.
    public func resetCircuitBreaker(of server: String? = nil) throws {
        let own = networkClient.serverName
        let store = try stores.makeDataStore()
        try store.resetBreaker(for: server ?? own)
        try store.save()
        if server == nil || server == own, case .rateLimited = state { broadcaster.send(.idle) }
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
            mutation.park(ParkReason(code: .cleared, message: "the queue was cleared"), at: wallClock.now())
            try store.updateMutation(mutation)
            if let type = schema.type(for: mutation.entityType) {
                try store.setSyncStatus(type, id: mutation.entityId, .failed)
            }
        }
        try store.save()
        noteWritten(0)
        bell.ring()
        return waiting.count
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

    /// The past syncs, oldest first.
    ///
    /// - Throws: ``StoreError``.
    public func history() throws -> [SyncHistoryEntry] {
        Array(
            try stores.makeDataStore().fetchDocuments(SyncHistoryEntry.self).suffix(configuration.historyLimit))
    }

    /// The conflicts that are listed.
    ///
    /// - Throws: ``StoreError``.
    public func conflicts() throws -> [SyncConflict] {
        try stores.makeDataStore().fetchDocuments(SyncConflict.self)
    }

    /// The changes in the quarantine, in the order in which they came.
    ///
    /// - Throws: ``StoreError``.
    public func quarantine() throws -> [QuarantinedChange] {
        try stores.makeDataStore().fetchDocuments(QuarantinedChange.self)
            .sorted { ($0.entry.id, $0.id) < ($1.entry.id, $1.id) }
    }

    /// Removes changes from the quarantine. They are not tried again; ``forceFullResync()`` brings the records once
    /// this version can use them.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func discardQuarantined(ids: Set<String>) throws -> Int {
        let store = try stores.makeDataStore()
        try store.begin()
        let known = try store.fetchDocuments(QuarantinedChange.self).filter { ids.contains($0.id) }
        for change in known { try store.deleteDocument(QuarantinedChange.self, id: change.id) }
        try store.save()
        return known.count
    }
}
