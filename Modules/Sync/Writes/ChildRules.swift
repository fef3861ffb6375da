import Foundation
import TrendyDomain

/// What happens here to the children of a record that is deleted, as the schema's rules say.
///
/// Servers do the same on their side, so children that they have need no mutation of their own.
struct ChildRules {
    let writer: LocalWriter

    private var store: any DataStoreProtocol { writer.store }

    /// A record was deleted here by the mutation.
    func parentDeleted(_ entityType: EntityType, _ id: String, by mutation: PendingMutation) throws {
        for (child, reference) in writer.schema.children(of: entityType) {
            try apply(reference, to: child, parentId: id, by: mutation)
        }
    }

    private func apply<Child: SyncEntity>(
        _ reference: ParentReference, to type: Child.Type, parentId: String, by mutation: PendingMutation
    ) throws {
        let children = try store.fetch(type, where: FieldCondition(reference.field, equals: parentId))
        for child in children {
            switch reference.onDelete {
            case .cascade: try cascade(to: child, reference.field, of: parentId, by: mutation)
            case .clear: try clear(reference.field, of: child, by: mutation)
            }
        }
    }

    private func cascade<Child: SyncEntity>(
        to child: LocalRecord<Child>, _ field: String, of parentId: String, by mutation: PendingMutation
    ) throws {
        try store.delete(Child.self, id: child.id)
        let open = try store.openMutations(Child.entityType, child.id)
        // What is under way may still arrive, and what was moved here is elsewhere on the server: then it must hear
        // of the deletion as well.
        if open.contains(where: { $0.state == .sending }) || open.moved(field, to: parentId) {
            try parentDeleted(Child.entityType, child.id, by: writer.queueDelete(child))
        } else {
            for waiting in open { try writer.settle(waiting, .merged(into: mutation.id)) }
            try parentDeleted(Child.entityType, child.id, by: mutation)
        }
        writer.changes.add(.deleted(child.entity))
    }

    private func clear<Child: SyncEntity>(
        _ field: String, of child: LocalRecord<Child>, by deletion: PendingMutation
    ) throws {
        var cleared = child
        cleared.entity = try Patch<Child>(changes: [field: .null]).applied(to: child.entity)
        try store.upsert(cleared)
        writer.changes.add(.updated(child.entity, to: cleared.entity))
        for mutation in try store.openMutations(Child.entityType, child.id) where mutation.state != .sending {
            let without = try mutation.replacing(field, .string(deletion.entityId), with: .null)
            if without == mutation { continue }
            try store.updateMutation(without)
            try ClearedReferences.note(mutation, field, takenBy: deletion.id, in: store)
        }
    }
}

extension PendingMutation {
    /// The mutation with another value for a field that its payload sets to this one; unchanged where it does not.
    func replacing(_ field: String, _ former: JSONValue, with value: JSONValue) throws -> PendingMutation {
        guard let payload else { return self }
        var fields = try WireCoding.decode([String: JSONValue].self, from: payload)
        // A create leaves out what is empty.
        let present = fields[field] ?? (operation == .create ? .null : nil)
        guard present == former else { return self }
        fields[field] = value == .null && operation == .create ? nil : value
        var changed = self
        changed.payload = try encoded(fields)
        return changed
    }
}

extension [PendingMutation] {
    /// Whether the first of a record's open updates that changes a reference has taken the record away from another
    /// parent than this: there it is still, for all that the server has said.
    func moved(_ field: String, to parentId: String) -> Bool {
        let formers = lazy.filter { $0.operation == .update }.compactMap { (try? $0.baseValues())?[field] }
        return formers.first.map { $0 != .string(parentId) } ?? false
    }
}
