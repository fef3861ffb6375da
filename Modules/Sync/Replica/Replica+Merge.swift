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
            let former = record
            record.operations.removeSubrange(...deletion)
            record.base = .tombstone(revision: record.base.revision, last: nil)
            try listOverruled(of: copy, former, by: record)
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
                copy, as: record, created: created, carriedOutAt: carriedOut, isJudged: true,
                settled: { _ in .merged(into: nil) })
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
            isJudged: true, settled: { _ in .merged(into: nil) }, parked: { _ in reason })
        var conflicts = result.conflicts
        var merged = result.record
        merged.parentDeletions = try parentDeletions(of: merged, copy.type)
        if let document = theirs.document, record.isEdited(by: document, beyond: record.operations), merged.isHidden {
            // A person here deleted its parent without having seen this version. What was edited here since goes with it.
            let known = merged.isUnsettled ? nil : merged.alone.document
            conflicts.append(.editedElsewhere(theirs: known ?? document))
        }
        if isOfOtherHistory, record.base.isNewer(than: theirs) {
            // What an older version says is nobody's edit. The server has lost a later one, and that is listed.
            conflicts = []
        } else if !conflicts.isEmpty, let document = theirs.document {
            let replaced = try replacedChanges(of: copy)
            conflicts.removeAll { record.isOwn($0, in: document, beside: replaced) }
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
}
