public import TrendyDomain
public import TrendySync
import TrendyTerminal

// Taking changes back.

extension EventStore {
    /// Takes the newest change back that was made here, also one that was synced, as a new change.
    ///
    /// - Parameter progress: Told how far it is, from another thread.
    /// - Returns: What was done; nil where there is nothing to take back.
    /// - Throws: ``CommandFailure`` where it cannot be taken back, or not without harm; ``StoreError``. What cannot be
    ///   taken back at all is refused once. `CancellationError` where the task was cancelled in time.
    func undo(telling progress: ReversalProgress? = nil) async throws -> ReversalSummary? {
        try await reverse(.undo, progress)
    }

    /// Does the change again that was taken back last, unless something else was changed since.
    ///
    /// - Parameter progress: Told how far it is, from another thread.
    /// - Returns: What was done; nil where there is nothing to do again.
    /// - Throws: ``CommandFailure`` where it cannot be done again without harm, or ``StoreError``; `CancellationError`
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
            // It is off the stack: what is older comes next.
            if let deed = steps.lazy.compactMap(\.irreversibleCommand).first { return (nil, false, deed) }
            var reversal = Reversal(writes: writes, schema: .trendy)
            reversal.progress = progress
            // Nobody else writes until the save: what another connection reads now is what is there. Who does an edit
            // again means its own value.
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
