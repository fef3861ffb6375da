public import TrendyDomain
public import TrendySync
import TrendyTerminal

// MARK: Undo and redo

extension EventStore {
    /// Undoes the newest change of this device by a new change, even if it was synced.
    ///
    /// - Parameter progress: Receives the progress, from another thread.
    /// - Returns: The undone changes; nil if there is nothing to undo.
    /// - Throws: ``CommandFailure`` if the change cannot be undone without harm, and once for an irreversible command;
    ///   ``StoreError``; `CancellationError` if the task was cancelled in time.
    func undo(telling progress: ReversalProgress? = nil) async throws -> ReversalSummary? {
        try await reverse(.undo, progress)
    }

    /// Redoes the change that was undone last, unless something else was changed since then.
    ///
    /// - Parameter progress: Receives the progress, from another thread.
    /// - Returns: The redone changes; nil if there is nothing to redo.
    /// - Throws: ``CommandFailure`` if it cannot be redone without harm, or ``StoreError``; `CancellationError`
    ///   as for ``undo(telling:)``.
    func redo(telling progress: ReversalProgress? = nil) async throws -> ReversalSummary? {
        try await reverse(.redo, progress)
    }

    private func reverse(
        _ direction: UndoJournal.Direction, _ progress: ReversalProgress?
    ) async throws -> ReversalSummary? {
        let (stores, clock) = (stores, wallClock)
        let (summary, isChange, deed) = try await engine.perform {
            writes -> (ReversalSummary?, Bool, IrreversibleCommand?) in
            let journal = try UndoJournal(watching: writes, clock: clock)
            guard let steps = try journal.pop(direction) else { return (nil, false, nil) }
            // The refused command is off the stack, so that the next undo reaches the older change.
            if let deed = steps.lazy.compactMap(\.irreversibleCommand).first { return (nil, false, deed) }
            var reversal = Reversal(writes: writes, schema: .trendy)
            reversal.progress = progress
            // The write lock is held until the save, so a second connection reads the same conflicts. Only an undo
            // needs them: a redo writes back the value of the edit itself.
            if direction == .undo, steps.contains(where: { $0.operation == .update }) {
                reversal.lost = try OverruledValues(stores.makeDataStore())
            }
            try reversal.run(steps)
            try journal.noteReversal(direction)
            return (reversal.summary, !writes.changes.isEmpty, nil)
        }
        if let deed { throw CommandFailure.data(deed.refusal) }
        if isChange { hasQueued = true }
        try await refreshIfShown()
        return summary
    }
}

// MARK: Queue, conflicts and quarantine

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

    /// Drops a waiting change; see ``SyncEngine/dropMutation(id:)``.
    ///
    /// - Throws: ``SyncEngineError``, ``LedgerError`` or ``StoreError``.
    @discardableResult
    public func dropMutation(id: Int64) async throws -> DropSummary {
        let summary = try await performForGood(.queueDrop) { (try $0.dropMutation(id: id), true) }
        hasQueued = true
        return summary
    }

    /// The effects that dropping a change would have.
    ///
    /// - Throws: As ``dropMutation(id:)``.
    public func previewDrop(id: Int64) async throws -> DropSummary {
        try await engine.previewDrop(id: id)
    }

    /// Restores the losing side of a conflict; see ``SyncEngine/restoreConflict(id:)``.
    ///
    /// - Throws: ``LedgerError``, ``ValidationError``, ``SyncEngineError`` or ``StoreError``.
    public func restoreConflict(id: String) async throws {
        try await perform { try $0.restoreConflict(id: id) }
        hasQueued = true
    }

    /// Dismisses a conflict; see ``SyncEngine/dismissConflict(id:)``.
    ///
    /// - Throws: ``LedgerError`` or ``StoreError``.
    public func dismissConflict(id: String) async throws {
        try await performForGood(.conflictsDismiss) { ((), try $0.dismissConflict(id: id)) }
    }

    /// Discards quarantined changes; see ``SyncEngine/discardQuarantined(ids:)``.
    ///
    /// - Throws: ``StoreError``.
    @discardableResult
    public func discardQuarantined(ids: Set<String>) async throws -> Int {
        try await engine.discardQuarantined(ids: ids)
    }

    /// Closes the circuit breaker, so that the next sync sends at once.
    ///
    /// - Throws: ``StoreError``.
    public func resetCircuitBreaker() async throws {
        try await engine.resetCircuitBreaker()
        syncState = engine.state
    }
}
