import Foundation
import TrendyDomain

extension MutationSettler {
    /// Queues an edit of what the answer to a new record leaves out: deployed servers ignore the place of an event that
    /// is sent by itself, and keep it in an edit.
    ///
    /// References to what is gone here are left out; so is what has been edited since.
    func complete<Entity: SyncEntity>(_ create: PendingMutation, _ answer: Remote<Entity>) throws {
        guard answer.id == create.entityId, try applier.newerVersion(than: answer) == nil,
            var record = try store.find(Entity.self, id: answer.id)
        else { return }
        let there = try WireCoding.fields(of: answer.entity)
        var lost = create.fields(of: answer.id).filter { $0.value != .null && there[$0.key] ?? .null == .null }
        for edit in try store.openMutations(Entity.entityType, answer.id) where edit.operation == .update {
            for field in try edit.patch(of: Entity.self).changes.keys { lost[field] = nil }
        }
        for reference in Entity.parents {
            guard let id = lost[reference.field]?.stringValue,
                let parent = applier.schema.type(for: reference.entityType)
            else { continue }
            if try !isHere(parent, id) { lost[reference.field] = nil }
        }
        if lost.isEmpty { return }
        let patch = Patch<Entity>(changes: lost)
        record.entity = try patch.applied(to: record.entity)
        if record.syncStatus == .synced { record.syncStatus = .pending }
        try store.upsert(record)
        _ = try store.insertMutation(
            PendingMutation(
                clientRequestId: applier.identifiers.makeId(), entityType: Entity.entityType, operation: .update,
                entityId: answer.id, payload: encoded(patch), base: encoded(lost.mapValues { _ in JSONValue.null }),
                createdAt: applier.wallClock.now()))
    }

    private func isHere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try store.find(type, id: id) != nil
    }
}
