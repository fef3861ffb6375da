import TrendyDomain

/// How deletions made here change what readers see of the deleted records' children.
///
/// A record is hidden, or shown without a reference, while its parent is deleted here and the server has not
/// confirmed that. The record itself does not change, so dropping the deletion shows it as it was.
extension Replica {
    /// How open deletions of its parents change what readers see of a record.
    func deletions(of child: RecordDocument, _ type: any SyncEntity.Type) throws -> ParentDeletion {
        var parents = GoneParents(replica: self)
        return try parents.deletions(of: child, type)
    }

    /// Writes what readers see of the children of a record that was deleted here, or is shown again.
    func refoldChildren(of parent: LocalCopy) throws {
        for (type, reference) in schema.children(of: parent.key.entityType) {
            let ids = try children(type, reference, of: parent.key.id)
            for chunk in ids.chunks(of: 500) {
                let children = try load(type, chunk).sorted { $0.key < $1.key }.map(\.value)
                let shown = try show(children, of: type).ids
                for child in children where (child.status != nil) != shown.contains(child.key.id) {
                    try refoldChildren(of: child)
                }
            }
        }
    }

    /// The children of a record, whether readers see them or not.
    func children(_ type: any SyncEntity.Type, _ reference: ParentReference, of id: String) throws -> [String] {
        let condition = FieldCondition(reference.field, equals: id)
        var ids = Set(try store.ids(type.entityType, where: condition, limit: .max))
        ids.formUnion(try store.baseIds(type.entityType, where: condition))
        // A hidden record that was made here has neither a base nor a row.
        let creates = MutationQuery(
            states: [.queued, .sending, .parked], entityType: type.entityType, operations: [.create, .update])
        for mutation in try store.fetchMutations(creates) {
            guard let payload = mutation.payload,
                let document = try? WireCoding.decode(RecordDocument.self, from: payload),
                document[reference.field] == .string(id)
            else { continue }
            ids.insert(mutation.entityId)
        }
        return ids.sorted()
    }

    /// Settles what the deletion of a parent does to the open operations of its children: those of a hidden child end
    /// with it, and others do not name the parent any more.
    ///
    /// - Parameter deletion: The place of the deletion in the outbox. Creates that were made after it stay open.
    /// - Returns: Whether operations may be sent now that could not be before.
    @discardableResult
    func settleChildren(of parent: LocalCopy, endedBy deletion: Int64) throws -> Bool {
        var isAnyOpened = false
        for (type, reference) in schema.children(of: parent.key.entityType) {
            let ids = try children(type, reference, of: parent.key.id)
            for (_, child) in try load(type, ids).sorted(by: { $0.key < $1.key }) {
                switch reference.onDelete {
                case .cascade where child.status == nil:
                    if try settleHidden(child, reference.field, of: parent, endedBy: deletion) { isAnyOpened = true }
                case .cascade: break
                case .clear:
                    if try forget(parent, in: child, reference.field, before: deletion) { isAnyOpened = true }
                }
            }
        }
        return isAnyOpened
    }

    private func settleHidden(
        _ child: LocalCopy, _ field: String, of parent: LocalCopy, endedBy deletion: Int64
    ) throws -> Bool {
        guard child.record.origin?[field] == .string(parent.key.id) else {
            // An open edit has moved it beneath the record, so the server has not deleted it.
            try show(child)
            return false
        }
        // A deletion of its own stays until the server says that the record is gone: another device may have moved the
        // record to another parent.
        var isMadeLater = false
        let left = child.record.operations.filter { operation in
            switch operation.change {
            case .create: isMadeLater = operation.position >= deletion
            case .update: break
            case .delete: return true
            }
            return isMadeLater
        }
        if left != child.record.operations { try settle(child, keeping: left, as: .merged(into: deletion)) }
        return left.isEmpty ? try settleChildren(of: child, endedBy: deletion) : false
    }

    /// Takes a deleted parent out of what was done to a record before the deletion, as the server does with its version.
    ///
    /// An operation that was parked because the server does not have the parent is queued again.
    private func forget(
        _ parent: LocalCopy, in child: LocalCopy, _ field: String, before deletion: Int64
    ) throws -> Bool {
        var record = child.record
        for index in record.operations.indices where record.operations[index].position < deletion {
            let former = record.operations[index]
            record.operations[index].change.forget(field, parent.key.id)
            if record.operations[index] != former, child.mutations[former.key]?.parkReason?.code == .blocked {
                record.operations[index].isParked = false
            }
        }
        if record == child.record { return false }
        record.reopen(child.waiting)
        try save(child, as: record)
        return record.operations.filter(\.isParked).count < child.record.operations.filter(\.isParked).count
    }

    /// Queues operations that were parked because the server did not have their parents. Returns whether there were
    /// any.
    func unblock(childrenOf ids: Set<String>, _ parent: any SyncEntity.Type) throws -> Bool {
        var isAnyOpened = false
        for mutation in try store.fetchMutations(MutationQuery(states: [.parked]))
        where mutation.parkReason?.code == .blocked {
            guard let type = schema.type(for: mutation.entityType), let payload = mutation.payload,
                let document = try? WireCoding.decode(RecordDocument.self, from: payload),
                type.parents.contains(where: { reference in
                    reference.entityType == parent.entityType
                        && document[reference.field]?.stringValue.map(ids.contains) == true
                })
            else { continue }
            let copy = try load(type, mutation.entityId)
            var record = copy.record
            for index in record.operations.indices where record.operations[index].key == mutation.clientRequestId {
                record.operations[index].isParked = false
            }
            record.reopen(copy.waiting)
            try save(copy, as: record)
            isAnyOpened = true
        }
        return isAnyOpened
    }

    /// Gives the children of a record another parent. The server has never had that record, so it has none of the
    /// children beneath it.
    func moveChildren(of parent: LocalCopy, to id: String) throws {
        for (type, reference) in schema.children(of: parent.key.entityType) {
            for childId in try children(type, reference, of: parent.key.id) {
                try move(load(type, childId), reference.field, from: parent.key.id, to: id)
            }
        }
    }

    /// Replaces a parent that the server never had in the open operations of a record.
    func move(_ child: LocalCopy, _ field: String, from parent: String, to id: String) throws {
        var record = child.record
        for index in record.operations.indices { record.operations[index].change.replace(field, parent, with: id) }
        try save(child, as: record)
    }
}

/// Which parents are deleted here or hidden, each looked up once.
///
/// It is for records that are looked at together, while none of their parents changes.
struct GoneParents {
    let replica: Replica
    private var known: [RecordKey: Bool] = [:]

    init(replica: Replica) {
        self.replica = replica
    }

    /// What readers are to see of a record.
    mutating func visible(_ copy: LocalCopy) throws -> VisibleRecord {
        guard case .document(let document) = copy.record.visible else { return copy.record.visible }
        return try deletions(of: document, copy.type).applied(to: document)
    }

    /// How open deletions of its parents change what readers see of a record.
    mutating func deletions(of child: RecordDocument, _ type: any SyncEntity.Type) throws -> ParentDeletion {
        var gone: Set<RecordKey> = []
        for reference in type.parents {
            guard let id = child[reference.field]?.stringValue,
                let parent = replica.schema.type(for: reference.entityType), try isGone(parent, id)
            else { continue }
            gone.insert(RecordKey(reference.entityType, id))
        }
        return ParentDeletion(of: child, parents: type.parents) { kind, id in
            gone.contains(RecordKey(kind, id))
        }
    }

    /// Whether a record is deleted here, or hidden by a deletion made here.
    private mutating func isGone(_ type: any SyncEntity.Type, _ id: String) throws -> Bool {
        let key = RecordKey(type.entityType, id)
        if let known = known[key] { return known }
        let isGone = try look(type, id)
        known[key] = isGone
        return isGone
    }

    private mutating func look(_ type: any SyncEntity.Type, _ id: String) throws -> Bool {
        if try replica.store.standings(type.entityType, ids: [id])[id] != nil { return false }
        let copy = try replica.load(type, id)
        if copy.isDeletedHere { return true }
        guard case .document(let document) = copy.record.visible else { return false }
        return try deletions(of: document, type).isHidden
    }
}

extension OpenOperation.Change {
    fileprivate mutating func replace(_ field: String, _ former: String, with value: String) {
        switch self {
        case .create(var document) where document[field] == .string(former):
            document[field] = .string(value)
            self = .create(document)
        case .update(let patch) where patch.values[FieldPath(field)] == .string(former):
            self = .update(patch.merging(FieldPatch([FieldPath(field): .string(value)])))
        case .create, .update, .delete: break
        }
    }

    fileprivate mutating func forget(_ field: String, _ former: String) {
        switch self {
        case .create(var document) where document[field] == .string(former):
            document[field] = nil
            self = .create(document)
        case .update(let patch) where patch.values[FieldPath(field)] == .string(former):
            self = .update(patch.removing([FieldPath(field)]))
        case .create, .update, .delete: break
        }
    }
}

extension OpenRecord {
    /// The version from which edits began: the server's, or that of the create.
    fileprivate var origin: RecordDocument? {
        if case .create(let document)? = operations.first?.change { document } else { base.document }
    }
}

extension Array {
    /// The elements in parts of at most so many.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
