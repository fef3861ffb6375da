import TrendyDomain

/// Changes on which the server failed, and whose place another one has taken since. They may have arrived all the same.
extension Replica {
    /// Turns a create into an edit, if it has replaced an earlier create from which the server has the record.
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
    func sinceArrival(
        _ copy: LocalCopy, _ record: OpenRecord, _ theirs: Base, _ isFirst: Bool, refusing refused: String?
    ) throws -> OpenRecord? {
        guard let there = theirs.document, let first = record.operations.first, case .create(let joined) = first.change,
            first.key == refused || !first.isInFlight
        else { return nil }
        let former = try replacedChanges(of: copy).compactMap { $0.change.isCreate ? $0.change.payload : nil }
        guard var base = former.last else { return nil }
        let shape = record.shape
        // Nobody knows which of them has arrived. What any of them has said otherwise is an edit.
        var edits = former.reduce(FieldPatch()) { $0.merging(FieldPatch(from: $1, to: joined, shape: shape)) }
        if copy.mutations[first.key]?.isAdopted == true {
            // The server may have the record from another device, with other values.
            base = [:]
            edits = FieldPatch(whole: joined, shape: shape).merging(edits)
        } else if isFirst {
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
    func replacedChanges(of copy: LocalCopy) throws -> [OpenOperation] {
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

    /// Lists the conflicts that arise when another state takes the place of a record with an unmerged version of the server:
    /// see ``OpenRecord/overruled(by:beside:)``.
    func listOverruled(of copy: LocalCopy, _ former: OpenRecord, by next: OpenRecord) throws {
        guard former.isUnsettled, let document = former.base.document else { return }
        let overruled = former.overruled(by: next, beside: try replacedChanges(of: copy))
        try ConflictList(replica: self).add(overruled, of: copy.key, theirs: .object(document))
    }
}
