public import TrendyDomain

// What a person decides about changes that wait, were refused, or collided, in one save with other writes. Its
// effects on records are among the changes of these writes, except for what is dropped.

extension LocalWrites {
    /// Puts a parked mutation back into the queue.
    ///
    /// - Throws: As ``SyncEngine/retryMutation(id:)``.
    public func retryMutation(id: Int64) throws {
        try ledger().retry(id)
    }

    /// Changes fields of the record that a waiting mutation is about, and lets it go again.
    ///
    /// - Returns: The id of the mutation that carries the changes now.
    /// - Throws: As ``SyncEngine/editMutation(id:changes:)``.
    @discardableResult
    public func editMutation(id: Int64, changes: [String: JSONValue]) throws -> Int64 {
        try ledger().edit(id, changes)
    }

    /// Gives up a queued or parked mutation, and takes its record back to how the server has it.
    ///
    /// - Throws: As ``SyncEngine/dropMutation(id:)``.
    @discardableResult
    public func dropMutation(id: Int64) throws -> DropSummary {
        try ledger().drop(id)
    }

    /// Brings back what lost in a conflict, and takes the conflict off the list.
    ///
    /// - Throws: As ``SyncEngine/restoreConflict(id:)``.
    public func restoreConflict(id: String) throws {
        try ledger().restoreConflict(id)
    }

    /// Takes a conflict off the list and leaves what won.
    ///
    /// - Returns: Whether a record went by that, because its deletion elsewhere was accepted.
    /// - Throws: As ``SyncEngine/dismissConflict(id:)``.
    @discardableResult
    public func dismissConflict(id: String) throws -> Bool {
        try ledger().dismissConflict(id)
    }

    private func ledger() throws -> Ledger {
        // What the action reads stays true until the save.
        try writer.store.begin()
        return Ledger(writer: writer)
    }
}
