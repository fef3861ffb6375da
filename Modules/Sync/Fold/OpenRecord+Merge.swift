import TrendyDomain

extension OpenRecord {
    /// Rebases the open operations on the server's version of the record.
    ///
    /// It serves news of a record that is edited here, a refusal with the record (`stale`, `exists`), and a lost
    /// answer. A version that is the base already changes nothing. The caller knows whether a version is newer than
    /// the base. A version that comes while a create is in doubt becomes the base unmerged, unless it shows just what was
    /// sent: only the answer to the create tells what the edits behind it began from.
    ///
    /// - Parameters:
    ///   - isFirst: Whether nobody has changed their version since it was made, as far as is known.
    ///   - refused: The key of the operation that the server has just answered with this version, and has not carried
    ///     out.
    func merging(_ theirs: Base, isFirst: Bool = true, refusing refused: String? = nil) -> MergeResult {
        let deletion = operations.lastIndex { $0.change == .delete }
        switch theirs {
        case .document(let document, let revision):
            guard revision != base.revision || isCreate(refused) else { return MergeResult(record: self) }
            if let deletion { return mergingDeletion(at: deletion, document, theirs, isFirst) }
            return isInDoubt && !isCreate(refused)
                ? mergingDoubt(document, theirs) : mergingValues(document, theirs, refused)
        case .nothing where base == .nothing:
            return MergeResult(record: self)
        case .nothing, .tombstone:
            return deletion.map { settlingDeletion(at: $0, theirs) } ?? mergingTombstone(theirs)
        }
    }

    /// Whether the operation with this key makes the record. It goes on as an edit where the record is there.
    func isCreate(_ key: String?) -> Bool { operations.contains { $0.key == key && $0.change.isCreate } }

    /// Both sides deleted the record. Operations after our deletion made it anew on purpose, and stay open.
    private func settlingDeletion(at index: Int, _ theirs: Base) -> MergeResult {
        // A create in flight that began from this tombstone can still arrive. Then the operations behind it are
        // needed.
        let isNews = theirs.revision != base.revision
        let create = operations[...index].indices.first { place in
            operations[place].isInFlight && operations[place].change.isCreate && !(place == 0 && isNews)
        }
        let end = create ?? index + 1
        return MergeResult(
            record: OpenRecord(shape: shape, base: theirs, operations: Array(operations[end...])),
            answered: Array(operations[..<end]))
    }

    /// We deleted the record, and the server has it.
    private func mergingDeletion(
        at index: Int, _ document: RecordDocument, _ theirs: Base, _ isFirst: Bool
    ) -> MergeResult {
        if let last = lastArrived(document) {
            return MergeResult(
                record: OpenRecord(shape: shape, base: theirs, operations: Array(operations[(last + 1)...])),
                answered: Array(operations[...last]))
        }
        let ended = operations[...index]
        // What gives up the name goes again before the deletion, because another record may wait for the name.
        let renames = ended.prefix { !$0.isParked }.filter { shape.isRename($0.change) && !$0.isInFlight }
        var result = MergeResult(
            record: OpenRecord(
                shape: shape, base: theirs, operations: renames + operations[index...]),
            answered: ended.dropLast().filter { !renames.contains($0) })
        // This deletion takes back a create that was sent without an answer, so theirs is our own version.
        let isGivenUp = index == 0 && base == .nothing && isFirst
        if !isGivenUp, isEdited(by: document, beyond: ended) {
            result.conflicts = [.editedElsewhere(theirs: document)]
        }
        return result
    }

    /// Whether a version of the server has a value that is neither the base's nor one of ours.
    func isEdited(by theirs: RecordDocument, beyond ours: some Sequence<OpenOperation>) -> Bool {
        let (former, edits) = (began, ours.map { shape.patch(of: $0.change) })
        return shape.paths(of: theirs).union(shape.paths(of: former)).contains { path in
            let value = theirs[path]
            return value != former[path] && !edits.contains { $0.values[path] == value }
        }
    }

    /// The last of the operations in flight after which the record is just what the server has. They took effect, and
    /// their answers were lost.
    private func lastArrived(_ document: RecordDocument) -> Int? {
        let content = FieldPatch(whole: document, shape: shape)
        let former = operations.first?.change.isCreate == true ? .nothing : base
        return operations.prefix { $0.isInFlight }.indices.last { last in
            guard let made = former.fold(operations[...last], shape).document else { return false }
            return FieldPatch(whole: made, shape: shape) == content
        }
    }

    /// The record was deleted elsewhere. Creates and edits are parked; a create that follows a known tombstone was
    /// made on purpose, and stays open. An edit that changes nothing is a question, unless it waits for a decision.
    private func mergingTombstone(_ theirs: Base) -> MergeResult {
        if let deletion = parentDeletions.first(where: { $0.reference.onDelete == .cascade && isHit(by: $0) }) {
            return settlingParentDeletion(deletion, theirs)
        }
        guard let first = operations.first(where: { $0.change != .update(FieldPatch()) || $0.isParked }) else {
            return MergeResult(record: OpenRecord(shape: shape, base: theirs), answered: operations)
        }
        var result = MergeResult(record: self)
        result.record.base = .tombstone(revision: theirs.revision, last: base.document)
        let isKnown = if case .tombstone = base { true } else { false }
        if isKnown && first.change.isCreate { return result }
        for index in operations.indices { result.record.operations[index].isParked = true }
        if !isKnown, case .document(let ours) = alone { result.conflicts = [.deletedElsewhere(ours: ours)] }
        return result
    }

    /// Both sides deleted the record, this one with a parent. What was done to it after that stays.
    private func settlingParentDeletion(_ deletion: ParentDeletion, _ theirs: Base) -> MergeResult {
        var left = self
        left.parentDeletions = []
        left.endOperations(before: deletion.position)
        // A create after the deletion was made on purpose. An edit is of a record that others have moved to the parent.
        if left.operations.first?.change.isUpdate != true { left.base = theirs }
        var result = left.mergingTombstone(theirs)
        result.answered = operations.filter { !left.operations.contains($0) } + result.answered
        return result
    }

    /// Both sides have the record: merges value by value.
    private func mergingValues(_ document: RecordDocument, _ theirs: Base, _ refused: String?) -> MergeResult {
        let said = operations.map { shape.patch(of: $0.change) }
        var patches = said
        var result = MergeResult(record: OpenRecord(shape: shape, base: theirs))
        let former = began
        for path in Set(patches.flatMap(\.values.keys)).sorted() {
            let value = document[path]
            if let same = patches.lastIndex(where: { $0.values[path] == value }) {
                // The server has this value already, from here or from somebody who wrote the same.
                for index in 0...same { patches[index] = patches[index].removing([path]) }
            } else if value != former[path], let ours = patches.lazy.reversed().compactMap({ $0.values[path] }).first {
                result.conflicts.append(.value(path, ours: ours, theirs: value, base: former[path]))
            }
        }
        // What goes again as it was, and what comes after it in the same places: without that, the former would stand.
        var whole: Set<FieldPath> = []
        for (place, operation) in operations.enumerated() {
            let patch = patches[place].merging(said[place].only(whole))
            guard !patch.isEmpty else {
                result.answered.append(operation)
                continue
            }
            var rebased = operation
            if operation.isInFlight && operation.key != refused {
                // It may have arrived, and others may have changed the record since. Its key tells.
                whole.formUnion(said[place].values.keys)
            } else {
                (rebased.change, rebased.isInFlight) = (.update(patch), false)
            }
            if case .tombstone = base { rebased.isParked = false }
            result.record.operations.append(rebased)
        }
        return result
    }

    /// Both sides have the record, and nobody knows whether the create that is open here has made it: nothing is judged before
    /// the answer, unless the version shows just what was sent.
    private func mergingDoubt(_ document: RecordDocument, _ theirs: Base) -> MergeResult {
        let sent = lastArrived(document).map { $0 + 1 } ?? 0
        var left = OpenRecord(shape: shape, base: theirs, operations: Array(operations[sent...]))
        if case .tombstone = base { for index in left.operations.indices { left.operations[index].isParked = false } }
        return MergeResult(record: left, answered: Array(operations[..<sent]))
    }

    /// Whether a create of the record may have arrived.
    private var isInDoubt: Bool { operations.first.map { $0.change.isCreate && $0.isInFlight } ?? false }

    /// Whether the server has a version that nobody has judged yet: a create of the record was in doubt when it came, and is
    /// not answered.
    var isUnsettled: Bool {
        if case .document = base { operations.first?.change.isCreate == true } else { false }
    }

    /// The conflicts between an unmerged version of the server and the state that takes the place of this record: values of
    /// others that this state does not show, or the whole version if the record is gone.
    ///
    /// A value that the version lacks counts as nobody's edit, because nobody knows whether the create has arrived.
    ///
    /// - Parameter replaced: Former changes of the record that may have arrived.
    func overruled(by next: OpenRecord, beside replaced: [OpenOperation]) -> [MergeConflict] {
        guard isUnsettled, !next.isUnsettled, let theirs = base.document else { return [] }
        let isGone = if case .tombstone = next.base { true } else { false }
        let ours = operations + replaced
        guard !isGone, let left = next.visible.document else {
            return isEdited(by: theirs, beyond: ours) ? [.editedElsewhere(theirs: theirs)] : []
        }
        return shape.paths(of: theirs).sorted().compactMap { path in
            let value = theirs[path]
            if left[path] == value || ours.contains(where: { $0.change.says(value, at: path) }) { return nil }
            return .value(path, ours: left[path], theirs: value, base: .null)
        }
    }

    /// Merges what is open behind a create that the server has taken with the version that came before the answer.
    ///
    /// - Parameters:
    ///   - made: What the create had made.
    ///   - replaced: Former changes of the record that may have arrived.
    mutating func settle(behind made: RecordDocument, beside replaced: [OpenOperation]) -> [MergeConflict] {
        guard case .document(let theirs, _) = base else { return [] }
        var former = self
        former.base = .document(made, revision: 0)
        let result = former.merging(base)
        operations = result.record.operations
        var conflicts = result.conflicts
        // A person here deleted its parent, and may not have seen this version. What was edited here since goes with it.
        if isHidden, former.isEdited(by: theirs, beyond: former.operations) {
            conflicts.append(.editedElsewhere(theirs: alone.document ?? theirs))
        }
        return conflicts.filter { !former.isOwn($0, in: theirs, beside: replaced) }
    }

    /// Whether the server's side of a conflict comes from this device: from a former change that an edit has replaced here.
    ///
    /// - Parameter document: The server's version.
    func isOwn(_ conflict: MergeConflict, in document: RecordDocument, beside replaced: [OpenOperation]) -> Bool {
        switch conflict {
        case .value(let path, _, let theirs, _): replaced.contains { $0.change.says(theirs, at: path) }
        case .editedElsewhere: !isEdited(by: document, beyond: operations + replaced)
        case .deletedElsewhere: false
        }
    }

    /// The version of the server that the first operation began from. A create began from none, whatever is known by now.
    private var began: RecordDocument { operations.first?.change.isCreate == true ? [:] : base.document ?? [:] }
}

extension RecordShape {
    /// The values that a change sets or clears. A create sets what its document holds, and clears nothing.
    fileprivate func patch(of change: OpenOperation.Change) -> FieldPatch {
        switch change {
        case .create(let document): FieldPatch(whole: document, shape: self)
        case .update(let patch): patch
        case .delete: FieldPatch()
        }
    }
}
