import TrendyDomain

/// An open deletion of a record that another one refers to, or has referred to.
///
/// It is an operation of the parent. For a child it has its place among the child's own operations: what refers to the
/// parent at that place goes with it or loses the reference, as it will on the server. What is made later stays.
struct ParentDeletion: Sendable, Hashable {
    /// The field of the child, and what becomes of the child.
    var reference: ParentReference
    /// The id of the parent.
    var parent: String
    /// The place of the deletion in the outbox.
    var position: Int64

    /// Whether a version of the child refers to the parent.
    func concerns(_ child: RecordDocument?) -> Bool { child?[reference.field] == .string(parent) }

    /// What the deletion leaves of the child.
    func applied(to child: VisibleRecord) -> VisibleRecord {
        guard case .document(var document) = child, concerns(document) else { return child }
        switch reference.onDelete {
        case .cascade: return .deleted
        case .clear:
            document[reference.field] = nil
            return .document(document)
        }
    }
}

extension OpenRecord {
    /// The places in the outbox where the record is deleted here: by itself, or with a parent.
    var deletedAt: [Int64] {
        let withParents = parentDeletions.filter { $0.reference.onDelete == .cascade && isHit(by: $0) }
        return (operations.filter { $0.change == .delete }.map(\.position) + withParents.map(\.position)).sorted()
    }

    /// Whether the deletion of a parent hides the record, which is not deleted itself.
    var isHidden: Bool { visible == .deleted && alone.document != nil }

    /// The records that a field names, in the base or in an operation.
    func named(by field: String) -> Set<String> {
        let values = [base.document?[field]] + operations.map { $0.change.payload?[field] }
        return Set(values.compactMap { $0?.stringValue })
    }

    /// Whether the record refers to a parent at the place where that is deleted.
    func isHit(by deletion: ParentDeletion) -> Bool {
        deletion.concerns(visible(before: deletion.position).document)
    }

    /// What is visible before a place in the outbox.
    func visible(before position: Int64) -> VisibleRecord {
        base.fold(
            operations.filter { $0.position < position }, shape,
            with: parentDeletions.filter { $0.position < position })
    }

    /// Takes in that the server has carried out the deletion of a parent.
    ///
    /// What readers see stays as it is: what the open deletion did to the fold is done to the base and to the operations
    /// before it, but for those that may have arrived. The revision of the base stays too, so that the server's own word for it is news.
    ///
    /// - Parameters:
    ///   - deletion: The deletion, which is not among ``parentDeletions`` any more.
    ///   - revision: The revision of the deletion. A newer version is of what was made since.
    /// - Returns: Whether the record has gone with the parent.
    mutating func carryOut(_ deletion: ParentDeletion, at revision: Int64) -> Bool {
        let field = deletion.reference.field
        switch deletion.reference.onDelete {
        case .clear:
            if case .document(var document, let known) = base, deletion.concerns(document), known < revision {
                document[field] = nil
                base = .document(document, revision: known)
            }
            forget(field, of: deletion.parent, before: deletion.position)
            return false
        case .cascade:
            if case .document(_, let known) = base, known >= revision { return false }
            // If an open edit has moved it beneath the parent, the server has not deleted it.
            guard isHit(by: deletion), deletion.concerns(origin), !isEdited(after: deletion) else { return false }
            endOperations(before: deletion.position)
            let isDeletedItself = operations.contains { $0.position < deletion.position }
            if case .document(let document, let known) = base, deletion.concerns(document), !isDeletedItself {
                base = .tombstone(revision: known)
            }
            return true
        }
    }

    /// Whether a person has edited the record after a deletion that would hide it. So it was made anew since, and the server has
    /// it by way of another copy of this store.
    private func isEdited(after deletion: ParentDeletion) -> Bool {
        let later = operations.first { operation in
            guard operation.position > deletion.position else { return false }
            guard case .update(let patch) = operation.change else { return operation.change.isCreate }
            // A parent that was made anew gives a hidden child its reference back.
            return patch.values.keys.contains { !shape.clearable.contains($0.field) }
        }
        return later?.change.isUpdate == true
    }

    /// Takes the reference to a parent that was deleted out of the operations before a place in the outbox.
    ///
    /// What may have arrived stays as it is, because its key tells what became of it: either the server has it, and has cleared the
    /// reference, or it is refused for its parent, and loses the reference then.
    mutating func forget(_ field: String, of parent: String, before position: Int64 = .max) {
        for index in operations.indices where operations[index].position < position && !operations[index].isInFlight {
            let former = base.fold(operations[..<index], shape).document?[FieldPath(field)]
            operations[index].change.forget(field, parent, isCleared: former ?? .null == .null)
        }
    }

    /// Removes what ends with a parent's deletion.
    ///
    /// A deletion of its own stays until the server says that the record is gone: another device may have moved the
    /// record to another parent. It concerns the life of the record that the base is of. A create after the parent's
    /// deletion stays, with its edits.
    mutating func endOperations(before position: Int64) {
        var isMadeLater = false
        operations.removeAll { operation in
            switch operation.change {
            case .create: isMadeLater = operation.position >= position
            case .update: break
            case .delete: return false
            }
            return !isMadeLater
        }
    }

    /// The version from which edits began: the server's, or that of the create.
    var origin: RecordDocument? {
        if case .create(let document)? = operations.first?.change { document } else { base.document }
    }
}

extension OpenOperation.Change {
    /// Takes out the reference to a parent.
    ///
    /// - Parameter isCleared: Whether the record has no other one before the change. Else the change clears that.
    fileprivate mutating func forget(_ field: String, _ parent: String, isCleared: Bool) {
        switch self {
        case .create(var document) where document[field] == .string(parent):
            document[field] = nil
            self = .create(document)
        case .update(let patch) where patch.values[FieldPath(field)] == .string(parent):
            let rest = patch.removing([FieldPath(field)])
            self = .update(isCleared ? rest : rest.merging(FieldPatch([FieldPath(field): .null])))
        case .create, .update, .delete: break
        }
    }
}
