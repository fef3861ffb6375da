import Foundation
import TrendyDomain

extension PlantedBug {
    static let rebaseBugs = [
        rebaseIsSkipped, clearingIsLost, otherFieldsStay, conflictsAreNotListed, ownEditIsAnotherSide,
    ]

    /// What the server says takes the place of an edit that is on its way.
    private static let rebaseIsSkipped = PlantedBug(
        name: "rebase is skipped", promise: .rebase, knownSeed: 8,
        plant: { _ in .store { BlindToEdits($0) } })

    /// A field that was cleared is not cleared again when the server's version comes in.
    private static let clearingIsLost = PlantedBug(
        name: "clearing of a field is lost", promise: .rebase, knownSeed: 15,
        plant: { _ in .store { BlindToNull($0) } })

    /// A record with an edit on its way, or parked, takes nothing of what others have changed in its other fields.
    private static let otherFieldsStay = PlantedBug(
        name: "other fields are not taken", promise: .rebase, knownSeed: 42,
        plant: { _ in .store { KeepsWholeRecord($0) } })

    /// A value of another device that loses against an edit from here is not listed.
    private static let conflictsAreNotListed = PlantedBug(
        name: "conflicts are not listed", promise: .rebase, knownSeed: 24,
        plant: { _ in .store { WithoutConflicts($0) } })

    /// An edit of a field that an earlier one has changed, which the feed has not shown yet, is said to begin where
    /// that one began.
    private static let ownEditIsAnotherSide = PlantedBug(
        name: "own edit counts as another side", promise: .rebase, knownSeed: 173,
        plant: { _ in .store { KeepsFirstBase($0) } })
}

private final class BlindToEdits: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let found = try super.fetchMutations(query)
        return query.asksForLocalChanges ? found.filter { $0.operation != .update } : found
    }
}

private final class BlindToNull: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let found = try super.fetchMutations(query)
        guard query.asksForLocalChanges else { return found }
        return try found.map { mutation in
            guard mutation.operation == .update, let payload = mutation.payload else { return mutation }
            let patch = try WireCoding.decode([String: JSONValue].self, from: payload)
            var changed = mutation
            changed.payload = try WireCoding.encode(patch.filter { $0.value != .null })
            return changed
        }
    }

    override func updateMutation(_ mutation: PendingMutation) throws {
        var whole = mutation
        // What was hidden is hidden from the rebase only.
        if mutation.operation == .update, mutation.state.isUnsent, mutation.payload != nil,
            let stored = try base.findMutation(id: mutation.id),
            stored.payload?.count ?? 0 > mutation.payload?.count ?? 0
        {
            whole.payload = stored.payload
        }
        try super.updateMutation(whole)
    }
}

private final class KeepsWholeRecord: ForwardingStore {
    override func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        var record = record
        if record.syncStatus != .synced, let present = try base.find(Entity.self, id: record.id),
            present.syncStatus != .synced, present.server.updatedAt != record.server.updatedAt
        {
            record.entity = present.entity
        }
        try super.upsert(record)
    }
}

private final class WithoutConflicts: ForwardingStore {
    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if let conflict = document as? SyncConflict, conflict.kind == .field { return }
        try super.putDocument(document)
    }
}

private final class KeepsFirstBase: ForwardingStore {
    override func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        var tampered = mutation
        if mutation.operation == .update, mutation.state == .queued, let base = mutation.base {
            let query = MutationQuery(
                states: [.queued, .sending, .accepted], entityType: mutation.entityType, operations: [.update],
                entityId: mutation.entityId)
            var began = try WireCoding.decode([String: JSONValue].self, from: base)
            for earlier in try self.base.fetchMutations(query).reversed()
            where earlier.state != .accepted || earlier.answer?.awaitsEcho == true {
                let former = try earlier.base.map { try WireCoding.decode([String: JSONValue].self, from: $0) } ?? [:]
                began.merge(former.filter { began[$0.key] != nil }) { $1 }
            }
            tampered.base = try WireCoding.encode(began)
        }
        return try super.insertMutation(tampered)
    }
}
