import TrendyDomain

extension Replica {
    /// Takes in the server's version of a record that has open operations here, or a base.
    ///
    /// - Parameters:
    ///   - record: The record as an answer has left it, where that is not as it was loaded.
    ///   - theirs: The server's version or tombstone.
    ///   - created: The revision with which that was made; 0 where it is not known.
    ///   - raw: The server's version as it came, for the list of conflicts.
    func merge(
        _ copy: LocalCopy, from record: OpenRecord? = nil, _ theirs: Base, created: Int64, raw: JSONValue?
    ) throws {
        var record = record ?? copy.record
        if case .document = theirs, copy.created > 0, created > copy.created,
            let deletion = record.operations.lastIndex(where: { $0.change == .delete })
        {
            // Somebody has brought the record back who knew that it was deleted: that is another life of it.
            record.operations.removeSubrange(...deletion)
            record.base = .tombstone(revision: record.base.revision, last: nil)
        }
        if case .document = theirs, case .document = record.base, theirs.revision == record.base.revision {
            record.base = theirs
            try save(copy, as: record, created: created, settled: { _ in .merged(into: nil) })
            return
        }
        let result = record.merging(theirs)
        let reason = ParkReason(
            code: .deletedElsewhere,
            message: "the \(copy.key.entityType.displayName) was deleted on the server or by another device")
        try save(
            copy, as: result.record, created: created, settled: { _ in .merged(into: nil) }, parked: { _ in reason })
        let conflicts = ConflictList(replica: self)
        if case .tombstone = record.base, case .document = theirs {
            // It is there again, with what was edited here.
            try conflicts.remove(.editedHereDeletedElsewhere, of: copy.key)
        }
        try conflicts.add(result.conflicts, of: copy.key, theirs: raw)
    }
}
