import TrendyDomain

/// Records that were made or moved here beneath a deleted record after its deletion, and wait for it.
///
/// A restored server has the deleted record again, and the lost deletion waits for the person. The deletion is put at the end of
/// the outbox. It would take these records along, because their operations come before it. So these go behind the deletion.
struct LaterChildren {
    /// A record, the operation that puts it beneath the deleted one, and the field that says so.
    struct Child {
        var copy: LocalCopy
        var first: Int
        var field: String
    }

    let replica: Replica

    /// Those that readers see beneath a record, without those of which an operation may have reached the server.
    func children(of parent: RecordKey) throws -> [Child] {
        try replica.schema.children(of: parent.entityType).flatMap { type, reference -> [Child] in
            guard reference.onDelete == .cascade else { return [] }
            let copies = try replica.loadInOrder(type, replica.children(type, reference, of: parent.id))
            let value = JSONValue.string(parent.id)
            return copies.compactMap { copy in
                guard copy.record.visible.document?[reference.field] == value,
                    let first = copy.record.operations.lastIndex(where: {
                        $0.change.says(value, at: FieldPath(reference.field))
                    }), !copy.record.operations[first...].contains(where: \.isInFlight)
                else { return nil }
                return Child(copy: copy, first: first, field: reference.field)
            }
        }
    }

    /// Moves the operations of a child to the end of the outbox, behind the deletion, where they wait.
    func putBehind(_ child: Child) throws {
        let copy = try replica.load(child.copy.type, child.copy.key.id)
        var record = copy.record
        let moved = record.operations[child.first...]
        let reason =
            moved.first.flatMap { copy.mutations[$0.key]?.parkReason }
            ?? ParkReason(
                code: .blocked, message: "what it belongs to is deleted here",
                fields: [FieldError(field: child.field, message: "is deleted here")])
        for index in moved.indices {
            record.operations[index].key = replica.identifiers.makeId()
            record.operations[index].position = .max
            record.operations[index].isParked = true
        }
        let first = record.operations[child.first].key
        try replica.save(
            copy, as: record, settled: { _ in .merged(into: nil) }, parked: { $0.key == first ? reason : .waiting })
    }
}
