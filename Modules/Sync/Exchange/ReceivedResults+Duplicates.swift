import TrendyDomain

/// What becomes of a record for which the server has another one.
extension ReceivedResults {
    /// A record made here, and the one of the same name that stands for both.
    struct SameName {
        var entityType: EntityType
        var ours: RecordDocument
        var theirs: RecordDocument
    }

    /// Moves values in maps whose keys name records that turned out to be others. It is done after the changes of the answer,
    /// so that it is done to what the server has by now.
    func moveValues() throws {
        for same in sameNames {
            try replica.moveValues(ofKeysNamedBy: same.ours, to: same.theirs, same.entityType)
        }
    }

    /// Merges a record made here into the one that the server has under another id. Its children move to that one.
    mutating func stepAside(
        _ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ result: SyncResult
    ) throws {
        guard let theirs = result.record, let id = theirs.objectValue?["id"]?.stringValue, id != copy.key.id
        else {
            return try replica.park(
                copy, record, index,
                ParkReason(
                    code: .duplicate, message: result.message ?? "the server has another record in its place"))
        }
        if let deletion = record.operations[index...].lastIndex(where: { $0.change == .delete }) {
            return try giveUp(copy, record, through: deletion)
        }
        let version = try received(copy.type, theirs, result.revision)
        var other = try replica.load(copy.type, id)
        let create = record.operations[index]
        switch try room(for: create, besides: other, at: result.revision, copy) {
        case .made:
            isWorkLeft = true
            try replica.save(copy, as: record)
            return
        case .coming:
            try replica.save(copy, as: record)
            return
        case .later(let field): return try make(copy, record, index, underOther: field)
        case .undecided: return try refuse(copy, record, index, nameIsTaken(copy.type))
        case .none: break
        }
        // The edits behind the create go over as they are.
        var (former, left) = (copy, record)
        former.record.operations.removeSubrange((index + 1)...)
        left.operations = []
        try replica.save(former, as: left, settled: { _ in .merged(into: nil) })
        try replica.rename(copy, to: id, isMerged: true)

        if let deletion = other.record.operations.lastIndex(where: { $0.change == .delete }) {
            // The server has refused the deletion. Sent again, it would delete what was made.
            var survivor = other.record
            survivor.undelete(through: deletion)
            try replica.save(other, as: survivor, settled: { _ in .merged(into: nil) })
            other = try replica.load(copy.type, id)
        }
        // A later operation of the same request may have changed it. Then the stored version is newer.
        if result.revision >= other.record.base.revision {
            try replica.merge(
                other, .document(version, revision: result.revision), created: result.createdRevision ?? 0, raw: theirs)
        }
        if case .create(let ours) = record.operations[index].change {
            // Of two names that are the same, the one that was there first stands. That is no conflict, and what only repeats
            // the name is none either.
            let isSameName = NaturalKey(of: copy.type, in: version).map {
                $0 == NaturalKey(of: copy.type, in: ours)
            }
            func repeatsName(_ field: String) -> Bool {
                copy.type.naturalKey.contains { name in
                    field == name || ours[field] == ours[name] && version[field] == version[name]
                }
            }
            let lost = ours.filter { field, value in
                // What an app has suggested is nobody's wish.
                !(isSameName == true && repeatsName(field)) && !copy.type.isSuggested(value, for: field)
            }
            try ConflictList(replica: replica).add(lost: lost, to: version, record.shape, of: other.key)
            if isSameName == true {
                sameNames.append(SameName(entityType: copy.key.entityType, ours: ours, theirs: version))
            }
        }
        try replica.move(record.operations[(index + 1)...], of: copy, to: id)
        _ = try replica.unblock(childrenOf: [id], copy.type)
        accepted += 1
        isWorkLeft = true
    }

    /// Whether a record that the server has makes room for one of the same name.
    private enum Room {
        /// It has another name by now, or is gone.
        case made
        /// What was done to it here goes again, and makes room.
        case coming
        /// It is deleted when edits have moved its children away, to the new record for instance. The field has the name.
        case later(String)
        /// Its deletion waits for an edit that is parked.
        case undecided
    }

    /// - Parameter revision: The revision of the server's version that the create met.
    /// - Returns: Nil if it makes none. Then the two become one.
    private func room(
        for create: OpenOperation, besides other: LocalCopy, at revision: Int64, _ copy: LocalCopy
    ) throws -> Room? {
        let (base, shape) = (other.record.base, other.record.shape)
        if base.revision > revision, !base.isNamed(as: create, copy.type) { return .made }
        let waiting = other.record.operations.filter { !$0.isParked }
        func isRenamed(after operations: ArraySlice<OpenOperation>) -> Bool {
            guard case .document(let left) = base.fold(operations, shape) else { return false }
            return !Base.document(left, revision: 0).isNamed(as: create, copy.type)
        }
        guard let last = waiting.last, last.change == .delete, let deletion = other.mutations[last.key] else {
            return !waiting.isEmpty && isRenamed(after: waiting[...]) ? .coming : nil
        }
        if isRenamed(after: waiting.dropLast()) { return .coming }
        var departing = DepartingChildren(replica: replica)
        let awaited = try departing.edits(before: deletion)
        let holding = try awaited.filter { edit in
            let target = try replica.store.openMutations(edit.target.entityType, ids: [edit.target.id])
            // While the target is unmade, the edit waits. Merging the two records would undo the deletion for all children.
            return edit.isParked || target.contains { $0.operation == .create }
        }
        if holding.isEmpty { return .coming }
        guard let field = create.change.payload.flatMap({ copy.type.nameField(in: $0) }),
            !holding.contains(where: \.isParked)
        else { return .undecided }
        return .later(field)
    }

    /// Sends a create under another name, and the wanted name as an edit at the end of the outbox, unless a later edit has named
    /// the record anew.
    ///
    /// The record that has the name is deleted only after its children were moved. Some move to the new record, so the new
    /// record has to be made first.
    private mutating func make(
        _ copy: LocalCopy, _ record: OpenRecord, _ index: Int, underOther field: String
    ) throws {
        var record = record
        guard case .create(var document) = record.operations[index].change, let name = document[field] else { return }
        document[field] = .string("\(name.stringValue ?? "") \(copy.key.id.suffix(4))")
        let place = record.operations[index].position
        record.operations[index] = OpenOperation(
            .create(document), key: replica.identifiers.makeId(), position: place)
        if !record.operations.contains(where: { $0.change.edits(FieldPath(field)) }) {
            record.operations.append(
                OpenOperation(
                    .update(FieldPatch([FieldPath(field): name])), key: replica.identifiers.makeId(), position: .max))
        }
        try replica.save(copy, as: record)
        isWorkLeft = true
    }

    /// It goes again by itself when no other record has the name (``FreedNames``).
    private func nameIsTaken(_ type: any SyncEntity.Type) -> ParkReason {
        ParkReason(
            code: .rejected,
            message:
                "the server has another \(type.entityType.displayName) of this name, whose deletion waits for other changes",
            fields: type.naturalKey.map { FieldError(field: $0, message: "is taken", code: FieldError.duplicate) })
    }

    /// Settles a create, and all up to the deletion that follows it: the server never had what was deleted.
    private mutating func giveUp(_ copy: LocalCopy, _ record: OpenRecord, through deletion: Int) throws {
        var left = record
        let ending = copy.mutations[record.operations[deletion].key]
        left.operations.removeSubrange(...deletion)
        try replica.save(
            copy, as: left, carriedOutAt: .max,
            settled: { .merged(into: $0.key == ending?.clientRequestId ? nil : ending?.id) })
        isWorkLeft = true
    }
}

extension Base {
    /// Whether it has the name that a create has. Kinds without names are told apart by all that they say.
    fileprivate func isNamed(as create: OpenOperation, _ type: any SyncEntity.Type) -> Bool {
        guard case .document(let there, _) = self, let made = create.change.payload else { return false }
        return NaturalKey(of: type, in: made).map { $0 == NaturalKey(of: type, in: there) } ?? true
    }
}

extension SyncEntity {
    /// The field of the natural key in which a record has a text of its own; nil where there is none.
    fileprivate static func nameField(in document: RecordDocument) -> String? {
        let references = Set(parents.map(\.field))
        return naturalKey.last { !references.contains($0) && document[$0]?.stringValue != nil }
    }
}
