import TrendyDomain

extension Replica {
    /// Merges the server's version into a record that has open operations or a base here.
    ///
    /// - Parameters:
    ///   - record: The record after an answer has changed it, if it is not as it was loaded.
    ///   - theirs: The server's version or tombstone.
    ///   - created: The revision with which their version was made; 0 if it is not known.
    ///   - raw: The server's version as it came, for the list of conflicts.
    ///   - refused: The key of the operation that the server has answered with this version.
    ///   - isOfOtherHistory: Whether the server was restored or replaced since the base was told.
    func merge(
        _ copy: LocalCopy, from record: OpenRecord? = nil, _ theirs: Base, created: Int64, raw: JSONValue?,
        refusing refused: String? = nil, isOfOtherHistory: Bool = false
    ) throws {
        // What is open here decides about the server's version from now on.
        if theirs.document != nil { try GivenUpRecords(replica: self).forget([copy.key]) }
        let isFirst = created == 0 || created == theirs.revision
        let known = try backAgain(copy, record ?? copy.record, theirs)
        var record = try sinceArrival(copy, known, theirs, isFirst, refusing: refused) ?? known
        if case .document = theirs, copy.created > 0, created > copy.created,
            let deletion = record.operations.lastIndex(where: { $0.change == .delete })
        {
            // Somebody who knew of the deletion has brought the record back, so our deletion is done: it concerned
            // the former record. What it hides ends with it.
            record.operations.removeSubrange(...deletion)
            record.base = .tombstone(revision: record.base.revision, last: nil)
        }
        if theirs.document == nil, let edited = try TakenBackDeletions(replica: self).kept().edited(copy) {
            record = edited
        }
        // Children that were made beneath a record which is there are newer than it.
        let carriedOut: Int64 =
            switch theirs {
            case .nothing: .max
            case .document: created
            case .tombstone(let revision, _): revision
            }
        if case .document = theirs, case .document = record.base, theirs.revision == record.base.revision,
            !record.isCreate(refused)
        {
            record.base = theirs
            try save(
                copy, as: record, created: created, carriedOutAt: carriedOut, settled: { _ in .merged(into: nil) })
            return
        }
        let result = record.merging(theirs, isFirst: isFirst, refusing: refused)
        let reason = ParkReason(
            code: .deletedElsewhere,
            message: "the \(copy.key.entityType.displayName) was deleted on the server or by another device")
        // The deletion is the reason from now on, also of what was parked for another one.
        var isGone = theirs.document == nil && theirs != record.base && result.answered.isEmpty
        if case .tombstone = record.base { isGone = false }
        try save(
            isGone ? copy.unparked : copy, as: result.record, created: created, carriedOutAt: carriedOut,
            settled: { _ in .merged(into: nil) }, parked: { _ in reason })
        var conflicts = result.conflicts
        var merged = result.record
        merged.parentDeletions = try parentDeletions(of: merged, copy.type)
        if let document = theirs.document, record.isEdited(by: document, beyond: record.operations), merged.isHidden {
            // A person here deleted its parent without having seen this version. What was edited here since goes with it.
            conflicts.append(.editedElsewhere(theirs: merged.alone.document ?? document))
        }
        if isOfOtherHistory, record.base.isNewer(than: theirs) {
            // What an older version says is nobody's edit. The server has lost a later one, and that is listed.
            conflicts = []
        } else if !conflicts.isEmpty, let document = theirs.document {
            let replaced = try replacedChanges(of: copy)
            conflicts.removeAll { isOwn($0, in: document, of: record, replaced) }
        }
        try ConflictList(replica: self).add(conflicts, of: copy.key, theirs: raw)
    }

    /// Settles the parked create of a record that the server had lost, if the server shows the record again.
    ///
    /// Another device has sent the record, and may have changed it since. So the server's version stands. Values that differ
    /// are listed, and the person decides.
    private func backAgain(_ copy: LocalCopy, _ record: OpenRecord, _ theirs: Base) throws -> OpenRecord {
        guard let there = theirs.document, let lost = record.operations.first, case .create(let ours) = lost.change,
            copy.mutations[lost.key]?.parkReason?.code == .lostByServer
        else { return record }
        var record = record
        record.operations.removeFirst()
        record.base = .document(ours, revision: record.base.revision)
        let values = FieldPatch(from: there, to: ours, shape: record.shape).values.filter { $0.value != .null }
        try ConflictList(replica: self).add(lostByServer: values, standing: there, of: copy.key)
        return record
    }

    /// Turns a create that has taken the place of former ones into an edit, if the server has the record from one of those.
    ///
    /// The server had failed on the first create, so the device joined it with the edits behind it in a new create
    /// (`SyncCycle+Blame`). Sent whole, the new create would overwrite what others have changed since. So the first
    /// create becomes the base, and only the edits are sent. While the new create may have arrived itself, it stays whole:
    /// then its key tells.
    ///
    /// - Parameters:
    ///   - isFirst: Whether nobody has changed the server's version since it was made, as far as is known. Then the server
    ///     itself has left out the values that it lacks, and they are sent again.
    ///   - refused: The key of the operation that the server has answered with its version.
    /// - Returns: The record with the edit; nil if there is no such create.
    private func sinceArrival(
        _ copy: LocalCopy, _ record: OpenRecord, _ theirs: Base, _ isFirst: Bool, refusing refused: String?
    ) throws -> OpenRecord? {
        guard let there = theirs.document, let first = record.operations.first, case .create(let joined) = first.change,
            first.key == refused || !first.isInFlight,
            // An import may be there from another device, with other values.
            copy.mutations[first.key]?.isAdopted != true
        else { return nil }
        let former = try replacedChanges(of: copy).compactMap { $0.change.isCreate ? $0.change.payload : nil }
        guard var base = former.last else { return nil }
        let shape = record.shape
        // Nobody knows which of them has arrived. What any of them has said otherwise is an edit.
        var edits = former.reduce(FieldPatch()) { $0.merging(FieldPatch(from: $1, to: joined, shape: shape)) }
        if isFirst {
            let missing = shape.paths(of: base).filter { there[$0] == .null && joined[$0] != .null }
            edits = edits.merging(FieldPatch(from: [:], to: joined, shape: shape).only(missing))
            // If others have changed it since, one of them can have cleared what it lacks, and that is listed.
            if !there.isChangedSinceMade {
                base = FieldPatch(Dictionary(missing.map { ($0, .null) }) { $1 }).applied(to: base)
            }
        }
        var record = record
        record.base = .document(base, revision: 0)
        record.operations[0].change = .update(edits)
        record.operations[0].isInFlight = false
        return record
    }

    /// The former changes of the record that open ones have replaced, and that may have arrived: the server had failed on
    /// them. The newest comes first.
    private func replacedChanges(of copy: LocalCopy) throws -> [OpenOperation] {
        // An edit may have taken the place of one that had taken a place itself.
        var successors = Set(copy.mutations.values.map(\.id))
        let query = MutationQuery(states: [.merged], entityType: copy.key.entityType, entityId: copy.key.id)
        return try store.fetchMutations(query).reversed().compactMap { former in
            guard case .merged(let into?) = former.state, successors.contains(into) else { return nil }
            successors.insert(former.id)
            // A change that was refused has no error, and has certainly not arrived.
            return try former.lastError.map { _ in try OpenOperation(former, shape: copy.record.shape) }
        }
    }

    /// Lists what others have edited of a record, beyond what was said here.
    ///
    /// - Parameter theirs: The server's version.
    func list(_ conflicts: [MergeConflict], of copy: LocalCopy, in theirs: RecordDocument) throws {
        if conflicts.isEmpty { return }
        let replaced = try replacedChanges(of: copy)
        let others = conflicts.filter { !isOwn($0, in: theirs, of: copy.record, replaced) }
        try ConflictList(replica: self).add(others, of: copy.key, theirs: .object(theirs))
    }

    /// Whether the server's side of a conflict comes from this device: from a change that an edit has replaced here.
    ///
    /// - Parameter document: The server's version.
    private func isOwn(
        _ conflict: MergeConflict, in document: RecordDocument, of record: OpenRecord, _ replaced: [OpenOperation]
    ) -> Bool {
        switch conflict {
        case .value(let path, _, let theirs, _): replaced.contains { $0.change.says(theirs, at: path) }
        case .editedElsewhere: !record.isEdited(by: document, beyond: record.operations + replaced)
        case .deletedElsewhere: false
        }
    }
}
