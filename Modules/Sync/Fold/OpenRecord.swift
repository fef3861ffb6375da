import TrendyDomain

/// A record with its open operations: what the server has, and what was done here since.
///
/// Every action of a person appends, replaces or drops an operation. What is visible is always the fold of what is
/// left.
struct OpenRecord: Sendable, Hashable {
    /// What became of an operation that was appended.
    enum Appended: Sendable, Hashable {
        case added
        /// It is part of the operation with this key, which was never sent.
        case merged(into: String)
        /// It replaces the operations with these keys, which were never sent.
        case replaced([String])
        /// Nothing is left to send: the operations with these keys are gone, and so is this one.
        case cancelled([String])
    }

    let shape: RecordShape
    var base: Base
    var operations: [OpenOperation]
    /// The open deletions of its parents, in the order of the outbox. They belong to the parents' records.
    var parentDeletions: [ParentDeletion] = []

    init(shape: RecordShape, base: Base, operations: [OpenOperation] = []) {
        self.shape = shape
        self.base = base
        self.operations = operations
    }

    /// What readers see.
    var visible: VisibleRecord { base.fold(operations, shape, with: parentDeletions) }

    /// What it is without the deletions of its parents.
    var alone: VisibleRecord { base.fold(operations, shape) }

    /// Whether it was deleted elsewhere, and what was done here waits for a person's decision.
    var waitsAfterDeletion: Bool {
        if case .tombstone = base { operations.contains(where: \.isParked) } else { false }
    }

    /// Appends an operation, or merges it with the last one if that was never sent.
    ///
    /// An edit that follows a parked operation is parked with it.
    ///
    /// - Parameter parent: The place in the outbox of the open create of a record that this operation refers to; 0 if
    ///   there is none, and `Int64.max` if the operation has to go last. An update is not merged into an operation before
    ///   that place, because it would be sent before its parent. Nor is one that clears a value merged into a create that follows a deletion: if the deletion is
    ///   dropped, the create does not say what was cleared. Of a deletion it is the place up to which operations stay.
    mutating func append(_ operation: OpenOperation, after parent: Int64 = 0) -> Appended {
        switch operation.change {
        case .create:
            operations.append(operation)
            return .added
        case .update(let patch):
            guard let last = operations.last, !last.isInFlight, last.position >= parent,
                !(last.change.isCreate && operations.count > 1 && patch.values.values.contains(.null)),
                let merged = last.change.merging(patch)
            else {
                var operation = operation
                operation.isParked = operations.last?.isParked == true
                operations.append(operation)
                return .added
            }
            operations[operations.count - 1].change = merged
            return .merged(into: last.key)
        case .delete:
            return appendDelete(operation, after: parent)
        }
    }

    /// Lets an edit take the place of a refused operation and of the edits that wait behind it: one operation with a key
    /// of its own says all that they say.
    ///
    /// It has the place of the refused operation in the outbox, before the children of the record, unless it refers to
    /// something that comes later. What may have arrived keeps its row in the ledger, so it goes to the end too. Neither passes
    /// the deletion of a parent, which would take the record along.
    ///
    /// - Parameters:
    ///   - refused: The keys of operations that the server has refused.
    ///   - parent: As in ``append(_:after:)``.
    /// - Returns: Nil if the edit follows no refused operation, or has to wait for it.
    mutating func supersede(_ refused: Set<String>, by edit: OpenOperation, after parent: Int64 = 0) -> Appended? {
        guard case .update(let patch) = edit.change, let first = operations.firstIndex(where: \.isParked),
            refused.contains(operations[first].key)
        else { return nil }
        let superseded = operations[first...]
        var joined: OpenOperation.Change? = operations[first].change
        for later in superseded.dropFirst() {
            guard case .update(let patch) = later.change, !later.isInFlight else { return nil }
            joined = joined?.merging(patch)
        }
        guard let joined = joined?.merging(patch),
            // As with any edit that clears a value, behind a deletion.
            !(first > 0 && joined.isCreate && patch.values.values.contains(.null))
        else { return nil }
        let (position, isInFlight) = (operations[first].position, operations[first].isInFlight)
        let mustStay = parentDeletions.contains {
            $0.position > position && $0.reference.onDelete == .cascade && $0.concerns(origin)
        }
        if mustStay, isInFlight || parent == .max { return nil }
        let place = mustStay || !isInFlight && position >= parent ? position : edit.position
        operations.removeSubrange(first...)
        // The server may have the record from the refused create. So a later deletion has to be sent.
        let mayBeMade = isInFlight && joined.isCreate
        operations.append(OpenOperation(joined, key: edit.key, position: place, isInFlight: mayBeMade))
        return .replaced(superseded.map(\.key))
    }

    /// Inserts an edit at its place in the outbox. What follows a parked operation is parked with it.
    mutating func insert(_ edit: OpenOperation) {
        operations = (operations + [edit]).sorted { $0.position < $1.position }
        guard let parked = operations.firstIndex(where: \.isParked) else { return }
        for index in operations[parked...].indices where operations[index].change.isUpdate {
            operations[index].isParked = true
        }
    }

    /// A deletion keeps its own place, behind changes of children that were made before it. It ends parked edits that have
    /// certainly not arrived, and those of a record that is gone on the server. It is sent past the others, and ends them with
    /// its answer: until then they tell which values of the server's version are ours.
    private mutating func appendDelete(_ deletion: OpenOperation, after place: Int64) -> Appended {
        let isGone = if case .tombstone = base { true } else { false }
        let last = operations.lastIndex { operation in
            operation.change == .delete || operation.position <= place
                || operation.isInFlight && !(isGone && operation.isParked && operation.change.isUpdate)
        }
        let kept = last.map { $0 + 1 } ?? 0
        let replaced = operations[kept...].map(\.key)
        operations.removeSubrange(kept...)
        guard alone.document != nil else { return .cancelled(replaced) }
        operations.append(deletion)
        return replaced.isEmpty ? .added : .replaced(replaced)
    }

    /// Drops an operation that is not in flight.
    ///
    /// Updates of a record go with its dropped create. A create that followed a dropped deletion becomes an edit,
    /// because the record is there again.
    ///
    /// - Returns: All operations that are gone; empty if there is none with the key, or its answer is awaited.
    mutating func drop(_ key: String) -> [OpenOperation] {
        guard let index = changeable(key) else { return [] }
        let dropped = operations.remove(at: index)
        let before = visible(before: dropped.position)
        switch dropped.change {
        case .update: return [dropped]
        case .create:
            let end = operations[index...].firstIndex { !$0.change.isUpdate } ?? operations.endIndex
            let orphans = before.document == nil ? operations[index..<end] : []
            operations.removeSubrange(orphans.indices)
            return [dropped] + orphans
        case .delete:
            makeEdit(at: index, of: before)
            return [dropped]
        }
    }

    /// Removes a deletion and the operations before it, so that the record is there again.
    mutating func undelete(through index: Int) {
        let before = base.fold([], shape, with: parentDeletions.filter { $0.position < operations[index].position })
        operations.removeSubrange(...index)
        makeEdit(at: 0, of: before)
    }

    /// A create becomes an edit where the record is there already.
    private mutating func makeEdit(at index: Int, of before: VisibleRecord) {
        guard index < operations.endIndex, case .create(let anew) = operations[index].change,
            let former = before.document
        else { return }
        // Others may have changed the former record since. What the new one lacks was not cleared by anybody.
        let there = FieldPatch(whole: anew, shape: shape).applied(to: former)
        operations[index].change = .update(FieldPatch(from: former, to: there, shape: shape))
        operations[index].isParked = operations[index].isParked || operations[..<index].contains(where: \.isParked)
    }

    /// Replaces the change of an operation that is not in flight.
    ///
    /// - Returns: Whether there is such an operation.
    mutating func replace(_ key: String, with change: OpenOperation.Change) -> Bool {
        guard let index = changeable(key) else { return false }
        operations[index].change = change
        return true
    }

    /// Parks what changes the record's values.
    mutating func park() {
        for index in operations.indices where operations[index].change != .delete { operations[index].isParked = true }
    }

    private func changeable(_ key: String) -> Int? {
        operations.firstIndex { $0.key == key && (!$0.isInFlight || $0.isParked) }
    }

    /// Queues parked operations again that wait for earlier ones, unless one of those is still parked.
    mutating func reopen(_ waiting: Set<String>) {
        for index in operations.indices where operations[index].isParked {
            guard waiting.contains(operations[index].key) else { return }
            operations[index].isParked = false
        }
    }

    /// Takes in that the server has carried an operation out.
    ///
    /// - Parameters:
    ///   - revision: The revision of the result. If it is not newer than the base, an earlier attempt was answered,
    ///     and the base holds the result already.
    ///   - record: The result, if the operation alone does not lead to it.
    ///   - served: The fields that the server adds to the record.
    ///   - isOverAnother: Whether the server may have carried it out over another base than this one. Then the base is not
    ///     the version of that revision, which is still to be merged.
    ///   - replaced: Former changes of the record that may have arrived.
    /// - Returns: The conflicts with a version that came while a create was in doubt.
    mutating func accept(
        _ key: String, revision: Int64, record: RecordDocument? = nil, served: RecordDocument = [:],
        isOverAnother: Bool = false, beside replaced: [OpenOperation] = []
    ) -> [MergeConflict] {
        guard let index = operations.firstIndex(where: { $0.key == key }) else { return [] }
        if operations[index].change == .delete {
            let former = self
            // It has ended the operations before it.
            operations.removeSubrange(...index)
            if revision > base.revision { base = .tombstone(revision: revision) }
            return former.overruled(by: self, beside: replaced)
        }
        let operation = operations.remove(at: index)
        guard revision > base.revision else {
            guard index == 0, case .create(let said) = operation.change else { return [] }
            return settle(behind: (record ?? said).merging(served) { $1 }, beside: replaced)
        }
        // An accepted create has made the record, so the server had no record before it. The base here can still be a
        // document of a former one, because servers of the older routes do not tell of each deletion.
        switch (operation.change.isCreate ? .nothing : base).fold([operation], shape) {
        case .document(let folded):
            base = .document(
                (record ?? folded).merging(served) { $1 }, revision: isOverAnother ? base.revision : revision)
        case .deleted, .absent: break
        }
        return []
    }
}

extension OpenOperation.Change {
    /// This change and then an edit, as one; nil for a deletion.
    fileprivate func merging(_ patch: FieldPatch) -> Self? {
        switch self {
        case .create(let document): .create(patch.applied(to: document))
        case .update(let earlier): .update(earlier.merging(patch))
        case .delete: nil
        }
    }
}
