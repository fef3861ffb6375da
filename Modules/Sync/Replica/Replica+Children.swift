import TrendyDomain

/// What becomes of the children of a record.
extension Replica {
    /// Writes what readers see of the children of a record, and of theirs, after a deletion of it was made, taken back
    /// or carried out.
    ///
    /// - Parameters:
    ///   - ended: The places of the deletions that the server has carried out.
    ///   - revision: The revision of those.
    ///   - ancestors: The records whose children it is about already.
    func refoldChildren(
        of parent: RecordKey, carriedOut ended: [Int64] = [], at revision: Int64 = 0,
        beneath ancestors: Set<RecordKey> = []
    ) throws {
        guard !ancestors.contains(parent) else { return }
        for (type, reference) in schema.children(of: parent.entityType) {
            let hasChildren = !schema.children(of: type.entityType).isEmpty
            for chunk in try children(type, reference, of: parent.id).chunks(of: 500) {
                let copies = try loadInOrder(type, chunk)
                var (shown, gone): ([LocalCopy], [[Int64]]) = ([], [])
                for former in copies {
                    var copy = former
                    gone.append(
                        ended.filter {
                            let deletion = ParentDeletion(reference: reference, parent: parent.id, position: $0)
                            return copy.record.carryOut(deletion, at: revision)
                        })
                    if copy.record.operations == former.record.operations {
                        shown.append(copy)
                    } else {
                        try settle(former, as: copy.record, with: ended.last)
                    }
                }
                try show(shown, of: type)
                guard hasChildren else { continue }
                for (child, ended) in zip(copies, gone) {
                    try refoldChildren(
                        of: child.key, carriedOut: ended, at: revision, beneath: ancestors.union([parent]))
                }
            }
        }
    }

    /// Saves a child whose operations a parent's deletion has changed or ended.
    ///
    /// An operation that was parked because the server does not have the parent is queued again.
    private func settle(_ former: LocalCopy, as record: OpenRecord, with deletion: Int64?) throws {
        var record = record
        let before = Dictionary(former.record.operations.map { ($0.key, $0.change) }) { $1 }
        for index in record.operations.indices {
            let operation = record.operations[index]
            guard before[operation.key] != operation.change else { continue }
            if former.mutations[operation.key]?.parkReason?.code == .blocked {
                record.operations[index].isParked = false
            }
        }
        try save(former, as: record, settled: { _ in .merged(into: deletion) })
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

    /// Whether a record, or one whose deletion takes it along, meets a condition.
    ///
    /// - Parameters:
    ///   - document: What the server has of the record.
    ///   - children: The records whose parents are looked at already.
    func isOne(
        _ key: RecordKey, _ document: RecordDocument, orBelongsToOne condition: (RecordKey) -> Bool,
        above children: Set<RecordKey> = []
    ) throws -> Bool {
        if condition(key) { return true }
        guard let type = schema.type(for: key.entityType) else { return false }
        return try type.parents.contains { reference in
            guard reference.onDelete == .cascade, let id = document[reference.field]?.stringValue,
                let parent = schema.type(for: reference.entityType),
                !children.contains(RecordKey(reference.entityType, id))
            else { return false }
            let copy = try load(parent, id)
            return try isOne(
                copy.key, copy.record.base.document ?? [:], orBelongsToOne: condition, above: children.union([key]))
        }
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
            try save(copy, as: record)
            isAnyOpened = true
        }
        return isAnyOpened
    }

    /// Gives the children of a record another parent. The server has never had that record, so it has none of the
    /// children beneath it. A child that it has beneath the other parent is as it was, and no conflict.
    func moveChildren(of parent: LocalCopy, to id: String) throws {
        for (type, reference) in schema.children(of: parent.key.entityType) {
            for childId in try children(type, reference, of: parent.key.id) {
                try move(load(type, childId), reference.field, from: parent.key.id, to: id)
            }
            try ConflictList(replica: self).join(parent.key.id, with: id, in: reference.field, of: type.entityType)
        }
    }

    /// Replaces a parent that the server never had in the open operations of a record.
    func move(_ child: LocalCopy, _ field: String, from parent: String, to id: String) throws {
        var record = child.record
        for index in record.operations.indices { record.operations[index].change.replace(field, parent, with: id) }
        record.omitFirst(FieldPath(field), if: .string(id))
        try save(child, as: record, settled: { _ in .merged(into: nil) })
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

    fileprivate func names(_ path: FieldPath) -> Bool {
        if case .update(let patch) = self { patch.values[path] != nil } else { false }
    }
}

extension OpenRecord {
    /// Takes a value out of the first edit that names its place, if the server has just that value.
    fileprivate mutating func omitFirst(_ path: FieldPath, if value: JSONValue) {
        guard base.document?[path] == value,
            let index = operations.firstIndex(where: { !$0.change.isUpdate || $0.change.names(path) }),
            !operations[index].isInFlight, !operations[index].isParked,
            case .update(let patch) = operations[index].change,
            patch.values[path] == value
        else { return }
        let rest = patch.removing([path])
        if rest.isEmpty { operations.remove(at: index) } else { operations[index].change = .update(rest) }
    }
}

extension Array {
    /// The elements in parts of at most so many.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
