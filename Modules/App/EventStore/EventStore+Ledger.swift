public import TrendyDomain
public import TrendySync

// The ledger: what waits, what was refused, what collided.

extension EventStore {
    /// Puts a parked change back into the queue; see ``SyncEngine/retryMutation(id:)``.
    ///
    /// - Throws: ``SyncEngineError``, ``LedgerError`` or ``StoreError``.
    public func retryMutation(id: Int64) async throws {
        try await perform { try $0.retryMutation(id: id) }
        hasQueued = true
    }

    /// Changes fields of the record that a waiting change is about; see ``SyncEngine/editMutation(id:changes:)``.
    ///
    /// - Throws: ``ValidationError``, ``SyncEngineError``, ``LedgerError`` or ``StoreError``.
    @discardableResult
    public func editMutation(id: Int64, changes: [String: JSONValue]) async throws -> Int64 {
        let carrier = try await perform { try $0.editMutation(id: id, changes: changes) }
        hasQueued = true
        return carrier
    }

    /// Gives a waiting change up; see ``SyncEngine/dropMutation(id:)``.
    ///
    /// - Throws: ``SyncEngineError``, ``LedgerError`` or ``StoreError``.
    @discardableResult
    public func dropMutation(id: Int64) async throws -> DropSummary {
        let summary = try await performForGood(.queueDrop) { (try $0.dropMutation(id: id), true) }
        hasQueued = true
        return summary
    }

    /// What dropping a change would do.
    ///
    /// - Throws: As ``dropMutation(id:)``.
    public func previewDrop(id: Int64) async throws -> DropSummary {
        try await engine.previewDrop(id: id)
    }

    /// Brings back what lost in a conflict; see ``SyncEngine/restoreConflict(id:)``.
    ///
    /// - Throws: ``LedgerError``, ``ValidationError``, ``SyncEngineError`` or ``StoreError``.
    public func restoreConflict(id: String) async throws {
        try await perform { try $0.restoreConflict(id: id) }
        hasQueued = true
    }

    /// Takes a conflict off the list; see ``SyncEngine/dismissConflict(id:)``.
    ///
    /// - Throws: ``LedgerError`` or ``StoreError``.
    public func dismissConflict(id: String) async throws {
        try await performForGood(.conflictsDismiss) { ((), try $0.dismissConflict(id: id)) }
    }

    /// Lets go of changes that wait aside; see ``SyncEngine/discardQuarantined(ids:)``.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    public func discardQuarantined(ids: Set<String>) async throws -> Int {
        try await engine.discardQuarantined(ids: ids)
    }

    /// Closes the circuit breaker on purpose, so that the next sync sends at once.
    ///
    /// - Throws: ``StoreError``.
    public func resetCircuitBreaker() async throws {
        try await engine.resetCircuitBreaker()
        syncState = engine.state
    }
}
