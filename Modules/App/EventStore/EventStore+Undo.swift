import TrendyDomain
import TrendySync
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
        let (summary, isChange, deed) = try await engine.perform { writes -> (ReversalSummary?, Bool, FinalDeed?) in
            let journal = try UndoJournal(watching: writes, clock: clock)
            guard let steps = try journal.pop(direction) else { return (nil, false, nil) }
            // It is off the stack: what is older comes next.
            if let deed = steps.lazy.compactMap(\.finalDeed).first { return (nil, false, deed) }
            var reversal = Reversal(writes: writes, schema: .trendy)
            reversal.progress = progress
            // Nobody else writes until the save: what another connection reads now is what is there. Who does an edit
            // again means its own value.
            if direction == .undo, steps.contains(where: { $0.operation == .update }) {
                reversal.lost = try LostValues(stores.makeDataStore())
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
