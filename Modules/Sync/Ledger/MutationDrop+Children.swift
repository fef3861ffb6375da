import Foundation
import TrendyDomain

extension MutationDrop {
    /// Takes the children of a record along that goes, each by the rule of its kind.
    func detach<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, from parentId: String, serverFollows: Bool
    ) throws {
        for child in try store.fetch(type, where: FieldCondition(reference.field, equals: parentId)) {
            if try moveBack(child, reference, from: parentId) { continue }
            switch reference.onDelete {
            case .cascade:
                let isBorn = try !store.openMutations(Child.entityType, child.id).contains { $0.operation == .create }
                if isBorn && !serverFollows { summary.asksFullResync = true }
                try removeChild(child, serverFollows: serverFollows)
            case .clear:
                try setField(reference.field, .null, of: child)
                for mutation in try waiting(child) {
                    try store.updateMutation(
                        try mutation.replacing(reference.field, .string(parentId), with: .null))
                }
            }
        }
    }

    /// Takes back the deletions that a record's deletion had queued for its children: no child can be deleted by
    /// itself before the record is there anew.
    func takeBack<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, with deletion: PendingMutation
    ) throws {
        let query = MutationQuery(
            states: [.queued, .parked], entityType: Child.entityType, operations: [.delete], afterId: deletion.id)
        let creations = MutationQuery(
            entityType: deletion.entityType, operations: [.create], entityId: deletion.entityId, afterId: deletion.id)
        let rebirth = try store.fetchMutations(creations).first?.id ?? .max
        for own in try store.fetchMutations(query) where own.id < rebirth {
            guard let base = own.base, let child = try? WireCoding.decode(Remote<Child>.self, from: base),
                try StringFields.of(child.entity)[reference.field] == deletion.entityId
            else { continue }
            try markDropped(own)
            try undoDelete(type, own)
        }
    }

    /// Puts back the references that a record's deletion had taken out of what waited. What has gone out without its
    /// reference meanwhile, or may have, stays as it is and gets it by an edit.
    func restoreReferences<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, clearedBy deletion: PendingMutation
    ) throws {
        let parent = JSONValue.string(deletion.entityId)
        let cleared = ClearedReferences(of: deletion)
        for id in cleared.mutations[reference.field] ?? [] {
            guard let mutation = try store.findMutation(id: id), mutation.entityType == Child.entityType
            else { continue }
            if try isCoveredByDeletion(mutation) {
                // It comes back with its record where that deletion is given up too.
                try store.updateMutation(try mutation.replacing(reference.field, .null, with: parent))
                continue
            }
            guard let child = try store.find(type, id: mutation.entityId) else { continue }
            // A later edit may have named another one since.
            let isWithout = try StringFields.of(child.entity)[reference.field] == nil
            switch mutation.state.name {
            case .merged, .dropped: continue
            case .queued, .parked:
                if cleared.mayHaveArrivedWithout(mutation) { fallthrough }
                let restored = try mutation.replacing(reference.field, .null, with: parent)
                guard restored != mutation else { continue }
                try store.updateMutation(restored)
                if isWithout, try !isEdited(reference.field, of: child, since: id) {
                    try setField(reference.field, parent, of: child)
                }
            case .sending, .accepted:
                guard isWithout, try !isEdited(reference.field, of: child, since: id) else { continue }
                try giveBack(parent, reference.field, to: child)
            }
        }
    }

    /// Shows a reference in the records that an edit on its way gives it to, and that are without it because the parent
    /// was gone: no deletion takes it out of an edit that is under way, or whose record is deleted as well by then.
    func showReferences<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, to parentId: String
    ) throws {
        guard reference.onDelete == .clear else { return }
        let parent = JSONValue.string(parentId)
        let edits = MutationQuery(
            states: [.queued, .sending, .parked], entityType: Child.entityType, operations: [.update])
        for edit in try store.fetchMutations(edits) {
            guard (try? edit.patch(of: type))?.changes[reference.field] == parent,
                let child = try store.find(type, id: edit.entityId),
                try StringFields.of(child.entity)[reference.field] == nil,
                try !isEdited(reference.field, of: child, since: edit.id), try !isOfFormerLife(edit)
            else { continue }
            try setField(reference.field, parent, of: child)
        }
    }

    /// Gives a reference back by a mutation of its own: another edit of the record may wait for the person, who may give
    /// that one up.
    private func giveBack<Child: SyncEntity>(
        _ parent: JSONValue, _ field: String, to child: LocalRecord<Child>
    ) throws {
        let patch = Patch<Child>(changes: [field: parent])
        var changed = child
        changed.entity = try patch.applied(to: child.entity)
        try store.upsert(changed)
        ledger.writer.changes.add(.updated(child.entity, to: changed.entity))
        let base = [field: JSONValue.null]
        _ = try ledger.queue(.update, Child.self, child.id, payload: encoded(patch), base: encoded(base))
        try ledger.refreshStatus(Child.self, child.id)
    }

    /// Whether a deletion that can still be given up has made a mutation pointless.
    private func isCoveredByDeletion(_ mutation: PendingMutation) throws -> Bool {
        guard case .merged(let into?) = mutation.state, let other = try store.findMutation(id: into) else {
            return false
        }
        return other.operation == .delete && (other.state == .queued || other.state.name == .parked)
    }

    /// Whether the person has said since that mutation what a field is to hold.
    private func isEdited<Child: SyncEntity>(
        _ field: String, of child: LocalRecord<Child>, since id: Int64
    ) throws -> Bool {
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: Child.entityType, operations: [.update],
            entityId: child.id, afterId: id)
        return try store.fetchMutations(query).contains { try $0.patch(of: Child.self).changes[field] != nil }
    }

    private func removeChild<Child: SyncEntity>(_ child: LocalRecord<Child>, serverFollows: Bool) throws {
        let creates = try store.openMutations(Child.entityType, child.id).filter { $0.operation == .create }
        let isElsewhere = child.server != ServerFields() && creates.contains(where: \.isForeign)
        if isElsewhere { summary.asksFullResync = true }
        let mayBeOnServer =
            !isElsewhere && creates.contains { $0.state == .sending || Coalescing.mayHaveArrived($0) }
        try remove(Child.self, child.id, serverFollows: serverFollows || mayBeOnServer)
        if mayBeOnServer {
            _ = try ledger.writer.queueDelete(child)
            summary.queuesDeletion = true
        }
    }

    /// A child that was moved to the parent by an edit that waits goes back to where it was. Answers whether
    /// it could.
    private func moveBack<Child: SyncEntity>(
        _ child: LocalRecord<Child>, _ reference: ParentReference, from parentId: String
    ) throws -> Bool {
        let moves = try waiting(child).filter { mutation in
            guard mutation.operation == .update, let patch = try? mutation.patch(of: Child.self) else { return false }
            return patch.changes[reference.field] == .string(parentId)
        }
        guard let first = moves.first, let former = try first.baseValues()[reference.field] else { return false }
        if let formerId = former.stringValue, let parent = ledger.schema.type(for: reference.entityType),
            try !ledger.isHere(parent, formerId)
        {
            return false
        }
        try setField(reference.field, former, of: child)
        for move in moves {
            if move.isParkedAsDeletedElsewhere {
                // Without it nothing would tell that the record is kept aside for a decision.
                try store.updateMutation(try move.replacing(reference.field, .string(parentId), with: former))
            } else {
                try strip([reference.field], from: move, of: Child.self)
            }
        }
        try ledger.refreshStatus(Child.self, child.id)
        return true
    }

    /// Takes fields out of an update; one that has none left is dropped.
    private func strip<Entity: SyncEntity>(
        _ fields: Set<String>, from mutation: PendingMutation, of type: Entity.Type
    ) throws {
        guard let stripped = try mutation.without(fields, of: type) else { return try markDropped(mutation) }
        try store.updateMutation(stripped)
    }

    private func setField<Entity: SyncEntity>(
        _ field: String, _ value: JSONValue, of record: LocalRecord<Entity>
    ) throws {
        var changed = record
        changed.entity = try Patch<Entity>(changes: [field: value]).applied(to: record.entity)
        try store.upsert(changed)
    }

    private func waiting<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws -> [PendingMutation] {
        try store.openMutations(Entity.entityType, record.id).filter { $0.state != .sending }
    }
}
