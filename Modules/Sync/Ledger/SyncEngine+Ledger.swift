public import TrendyDomain

// For people: decisions about changes that wait, were refused, or collided. Each call is one durable save.

extension SyncEngine {
    /// Queues a parked mutation again, under a new key. One that may have arrived keeps its key and its content. Edits that
    /// wait behind a refused one are joined with it. A create that waits for the server's clock goes under another id.
    ///
    /// If its record was deleted elsewhere, it puts the record back: the open operations are merged into a create of
    /// the whole record as it is here, and the conflict is removed.
    ///
    /// - Throws: ``SyncEngineError/unknownMutation(_:)``; ``LedgerError`` where it is not parked, or the record
    ///   cannot be put back; ``StoreError``.
    public func retryMutation(id: Int64) throws {
        try act { try $0.retry(id) }
    }

    /// Changes fields of the record of a queued or parked create or update, and queues the mutation again.
    ///
    /// The record changes here at once. A mutation that may have arrived goes as it is, and the changes follow it, unless
    /// the server fails on it: then it carries them under a new key. One whose record was deleted elsewhere changes and
    /// stays parked, for ``retryMutation(id:)`` or ``dropMutation(id:)``.
    ///
    /// - Parameter changes: The new values by wire name; null clears.
    /// - Returns: The id of the mutation that carries the changes now.
    /// - Throws: ``ValidationError`` with every wrong field, and nothing is changed;
    ///   ``SyncEngineError/unknownMutation(_:)``; ``LedgerError``; ``StoreError``.
    @discardableResult
    public func editMutation(id: Int64, changes: [String: JSONValue]) throws -> Int64 {
        try act { try $0.edit(id, changes) }
    }

    /// Drops a mutation that waits, is parked or was sent without an answer. Its record shows the server's version
    /// with the other open operations.
    ///
    /// A record that was made here is removed with its children; if the server may have it, a deletion is queued. The
    /// fields of an edit return, except those that later edits set. A deleted record is shown again with its
    /// children.
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
        // The unit of work is not saved.
        try beginEditing().drop(id)
    }

    /// Restores the losing side of a conflict, and takes the conflict off the list.
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
    /// If the record was edited here and deleted elsewhere, this accepts the deletion: the edits are dropped, and the
    /// record is removed.
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
