import TrendyDomain

extension Replica {
    /// Moves values from one key of a map to another spelling of that key, after the records that name the keys have become
    /// one.
    ///
    /// The value that was said here stands, as in any merge. If the other key has another value, that value is listed.
    ///
    /// - Parameters:
    ///   - ours: The record that was made here.
    ///   - theirs: The record that stands for both.
    func moveValues(ofKeysNamedBy ours: RecordDocument, to theirs: RecordDocument, _ kind: EntityType) throws {
        for type in schema.types {
            for reference in type.mapKeys where reference.entityType == kind {
                guard let former = ours[reference.keyField]?.stringValue, former != "",
                    let present = theirs[reference.keyField]?.stringValue, present != former,
                    let parent = theirs[reference.parentField]?.stringValue,
                    let owner = type.parents.first(where: { $0.field == reference.parentField })
                else { continue }
                let paths = (FieldPath(reference.field, key: former), FieldPath(reference.field, key: present))
                for ids in try children(type, owner, of: parent).chunks(of: 500) {
                    for copy in try loadInOrder(type, ids) {
                        guard case .document(let document) = copy.record.visible, document[paths.0] != .null,
                            document[owner.field] == .string(parent)
                        else { continue }
                        try moveValue(of: copy, in: document, from: paths.0, to: paths.1)
                    }
                }
            }
        }
    }

    private func moveValue(
        of copy: LocalCopy, in document: RecordDocument, from former: FieldPath, to present: FieldPath
    ) throws {
        let (ours, theirs) = (document[former], document[present])
        var record = copy.record
        let change = OpenOperation.Change.update(FieldPatch([former: .null, present: ours]))
        _ = record.append(
            OpenOperation(change, key: identifiers.makeId(), position: .max), after: try floor(of: change, copy))
        try save(copy, as: record, settled: { _ in .merged(into: nil) }, parked: { _ in .waiting })
        if theirs != .null, theirs != ours {
            let conflict = MergeConflict.value(present, ours: ours, theirs: theirs, base: nil)
            try ConflictList(replica: self).add([conflict], of: copy.key)
        }
    }
}
