public import TrendyDomain

// For people: acting on what waits, was refused, or collided. Each call is one durable save.

extension SyncEngine {
    /// Puts a parked mutation back into the queue, under a key of its own; one that may have arrived goes again as it was.
    ///
    /// One that is parked because its record was deleted elsewhere puts the record back: what was queued about
    /// it is merged into a new create of the whole record as it stands here, and the conflict goes.
    ///
    /// - Throws: ``SyncEngineError/unknownMutation(_:)``; ``LedgerError`` where it is not parked, or the record
    ///   cannot be put back; ``StoreError``.
    public func retryMutation(id: Int64) throws {
        try act { try $0.retry(id) }
    }

    /// Changes fields of the record that a queued or parked create or update is about, and lets it go again.
    ///
    /// The record changes here at once. A mutation that may have arrived as it was is replaced by one with a key
    /// of its own; one whose record was deleted elsewhere changes, and goes on waiting for
    /// ``retryMutation(id:)`` or ``dropMutation(id:)``.
    ///
    /// - Parameter changes: The new values by wire name; null clears.
    /// - Returns: The id of the mutation that carries the changes now.
    /// - Throws: ``ValidationError`` with every wrong field, and nothing is changed;
    ///   ``SyncEngineError/unknownMutation(_:)``; ``LedgerError``; ``StoreError``.
    @discardableResult
    public func editMutation(id: Int64, changes: [String: JSONValue]) throws -> Int64 {
        try act { try $0.edit(id, changes) }
    }

    /// Gives up a mutation that waits, is parked or went without an answer, and takes its record back to how the server
    /// has it.
    ///
    /// A record that was made goes, with what hangs on it; where the server may have it, a deletion is queued.
    /// The fields of an edit return, except those that later edits set. A deleted record comes back, with what went
    /// with it.
    ///
    /// - Throws: ``SyncEngineError/unknownMutation(_:)``; ``LedgerError/sending(_:)`` while a sync has it
    ///   under way; other ``LedgerError``; ``StoreError``. Then nothing has changed.
    @discardableResult
    public func dropMutation(id: Int64) throws -> DropSummary {
        try act { try $0.drop(id) }
    }

    /// What ``dropMutation(id:)`` would do, without doing it.
    ///
    /// - Throws: As ``dropMutation(id:)``.
    public func previewDrop(id: Int64) throws -> DropSummary {
        // The unit of work is let go without a save.
        try beginEditing().drop(id)
    }

    /// Brings back what lost in a conflict, and takes the conflict off the list.
    ///
    /// A field takes the value that lost, as an ordinary edit. A record that was deleted elsewhere is put back as
    /// ``retryMutation(id:)`` does; one that was deleted here is made again from the version that was kept.
    ///
    /// - Throws: ``LedgerError`` where there is no such conflict, or what it is about is gone;
    ///   ``ValidationError``, ``SyncEngineError``, ``StoreError``.
    public func restoreConflict(id: String) throws {
        try act { try $0.restoreConflict(id) }
    }

    /// Takes a conflict off the list and leaves what won.
    ///
    /// For a record that was edited here and deleted elsewhere the deletion is accepted: the edits are dropped
    /// and the record goes.
    ///
    /// - Throws: ``LedgerError``, ``StoreError``.
    public func dismissConflict(id: String) throws {
        _ = try act { try $0.dismissConflict(id) }
    }

    private func beginEditing() throws -> Ledger {
        let store = try stores.makeDataStore()
        // What the action reads stays true until the save.
        try store.begin()
        return Ledger(writer: writer(on: store), owner: owner)
    }

    private func act<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
        let ledger = try beginEditing()
        let result = try body(ledger)
        let pending = try ledger.store.countMutations(.unsent)
        try ledger.store.save()
        noteWritten(pending)
        bell.ring()
        return result
    }
}
