import Foundation
import TrendyDomain

/// Lets a record made here stand for one that the server has under another id.
///
/// That happens when two devices make the same thing while apart (a type of the same name), and when a server
/// keeps one record for both (HealthKit samples). The children and later edits move over to the server's record.
struct IdentityMerger {
    let store: any DataStoreProtocol
    let schema: EntitySchema
    let wallClock: any WallClock

    func merge<Entity: SyncEntity>(_ type: Entity.Type, id: String, into survivor: String) throws {
        let open = try store.openMutations(Entity.entityType, id)
        if let creation = open.last(where: { $0.operation == .create }) {
            // It was deleted and made anew since: what is here by now is another record, with children of its own.
            for mutation in open where mutation.id < creation.id { try settle(mutation, .merged(into: nil)) }
            return
        }
        if try store.delete(type, id: id) { try takeBackDeletion(type, of: survivor) }
        for mutation in open {
            if mutation.operation == .delete {
                // It was meant for the record made here, which goes; the survivor is another device's.
                try settle(mutation, .merged(into: nil))
            } else {
                var moved = mutation
                moved.entityId = survivor
                try store.updateMutation(moved)
            }
        }
        for (child, reference) in schema.children(of: Entity.entityType) {
            try move(child, reference.field, from: id, to: survivor)
        }
    }

    /// Settles the deletion of a survivor that was deleted here and is logged here again: sent now, it would take away
    /// what was logged. What was done to the survivor before goes with its deletion.
    private func takeBackDeletion<Entity: SyncEntity>(_ type: Entity.Type, of survivor: String) throws {
        let open = try store.openMutations(Entity.entityType, survivor)
        guard let deletion = open.last(where: { $0.operation == .delete }) else { return }
        for earlier in open where earlier.operation == .update && earlier.id < deletion.id {
            try settle(earlier, .merged(into: deletion.id))
        }
        try settle(deletion, .merged(into: nil))
        try store.deleteDocument(SyncConflict.self, id: SyncConflict.id(ofDeletion: deletion))
    }

    private func settle(_ mutation: PendingMutation, _ state: MutationState) throws {
        var settled = mutation
        settled.state = state
        settled.settledAt = wallClock.now()
        try store.updateMutation(settled)
    }

    private func move<Child: SyncEntity>(_ type: Child.Type, _ field: String, from id: String, to survivor: String)
        throws
    {
        for child in try store.fetch(type, where: FieldCondition(field, equals: id)) {
            var moved = child
            moved.entity = try Patch<Child>(changes: [field: .string(survivor)]).applied(to: child.entity)
            try store.upsert(moved)
        }
        // A record may show the survivor already, where another device has sent it, and its mutation not.
        let open = MutationQuery(states: [.queued, .sending, .parked], entityType: Child.entityType)
        let name = Data(id.utf8)
        for mutation in try store.fetchMutations(open) where mutation.payload?.range(of: name) != nil {
            let moved = try mutation.replacing(field, .string(id), with: .string(survivor))
            if moved != mutation { try store.updateMutation(moved) }
        }
    }
}
