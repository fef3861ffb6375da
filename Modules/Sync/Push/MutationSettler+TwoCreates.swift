import Foundation
import TrendyDomain

// Two creates of one record wait where a deletion between them was given up. The second says what the person has made
// of the record since.
extension MutationSettler {
    /// What the person has done with a new record after its creation that leaves nothing for that to do: a deletion, or
    /// another creation.
    func successor(of create: PendingMutation) throws -> PendingMutation? {
        if let deletion = try deletion(after: create) { return deletion }
        let creates = MutationQuery(
            states: [.queued, .sending, .accepted], entityType: create.entityType, operations: [.create],
            entityId: create.entityId, afterId: create.id)
        return try store.fetchMutations(creates).first
    }

    /// Settles the other creates of a record that wait, as the server has taken one.
    func settleOthers<Entity: SyncEntity>(than taken: PendingMutation, _ type: Entity.Type) throws {
        guard taken.operation == .create else { return }
        let creates = MutationQuery(
            states: [.queued, .sending, .parked], entityType: Entity.entityType, operations: [.create],
            entityId: taken.entityId)
        // Only counted: an import settles a hundred thousand of these, each alone.
        guard try store.countMutations(creates) > 1 else { return }
        for other in try store.fetchMutations(creates) where other.id != taken.id {
            if other.id > taken.id { return try continueAsEdit(other, after: taken, type) }
            // It would take the record back to what it was.
            if try deletion(between: other, and: taken) == nil { try cover(other, by: taken) }
        }
    }

    /// Lets a second create that has not left go on as an edit of what the server has made, where it says something else.
    private func continueAsEdit<Entity: SyncEntity>(
        _ second: PendingMutation, after first: PendingMutation, _ type: Entity.Type
    ) throws {
        // One that cannot be read is parked when its turn comes.
        guard second.state == .queued, !second.hasLeft, try deletion(between: first, and: second) == nil,
            let made = first.payload.flatMap({ try? WireCoding.decode(Entity.self, from: $0) }),
            let meant = second.payload.flatMap({ try? WireCoding.decode(Entity.self, from: $0) })
        else { return }
        let before = try WireCoding.fields(of: edited(made, before: second))
        let after = try WireCoding.fields(of: meant)
        let fields = Set(before.keys).union(after.keys).filter { before[$0] ?? .null != after[$0] ?? .null }
        if fields.isEmpty { return try cover(second, by: first) }
        var edit = second
        edit.operation = .update
        edit.attempts = 0
        edit.payload = try encoded(Patch<Entity>(changes: values(of: after, for: fields)))
        edit.base = try encoded(values(of: before, for: fields))
        try store.updateMutation(edit)
    }

    private func deletion(between first: PendingMutation, and second: PendingMutation) throws -> PendingMutation? {
        try deletion(after: first).flatMap { $0.id < second.id ? $0 : nil }
    }

    /// The record with the edits that wait before a mutation.
    private func edited<Entity: SyncEntity>(_ entity: Entity, before mutation: PendingMutation) throws -> Entity {
        try store.openMutations(Entity.entityType, mutation.entityId)
            .filter { $0.operation == .update && $0.id < mutation.id }
            .compactMap { try? $0.patch(of: Entity.self) }
            .reduce(entity) { try $1.applied(to: $0) }
    }

    private func values(of fields: [String: JSONValue], for names: Set<String>) -> [String: JSONValue] {
        names.reduce(into: [:]) { $0[$1] = fields[$1] ?? .null }
    }
}
