import Foundation
import TrendyDomain

extension PlantedBug {
    static let noResurrectionBugs = [deletionIsNotSeen, editMakesRecordAnew, repairMakesAgain]

    /// What comes from the server is put in place though the record is deleted here.
    private static let deletionIsNotSeen = PlantedBug(
        name: "server's version undoes a deletion", promise: .noResurrection, knownSeed: 8,
        plant: { _ in .store { BlindToDeletions($0) } })

    /// An edit of a record that was deleted elsewhere makes it anew.
    private static let editMakesRecordAnew = PlantedBug(
        name: "edit makes a deleted record anew", promise: .noResurrection, knownSeed: 44,
        plant: { _ in .store { RemakesEdited($0) } })

    /// A repair sends what the server has deleted without an entry in the feed.
    private static let repairMakesAgain = PlantedBug(
        name: "repair makes again what was deleted", promise: .noResurrection, knownSeed: 16, gateway: .rest,
        plant: { _ in .store { QueuesDeleted($0) } })
}

private final class QueuesDeleted: ForwardingStore {
    override func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        var mutation = mutation
        if case .parked(let reason) = mutation.state, reason.code == .deletedElsewhere, mutation.operation == .create {
            (mutation.state, mutation.settledAt) = (.queued, nil)
        }
        return try super.insertMutation(mutation)
    }
}

private final class BlindToDeletions: ForwardingStore {
    override func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        try super.openMutations(entityType, ids: ids).filter { $0.operation != .delete }
    }
}

private final class RemakesEdited: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                guard case .parked(let reason) = mutation.state, reason.code == .deletedElsewhere,
                    mutation.operation == .update, let type = EntitySchema.trendy.type(for: mutation.entityType),
                    let record = try record(type, mutation.entityId)
                else { return mutation }
                var changed = mutation
                (changed.operation, changed.payload, changed.state) = (.create, record, .queued)
                changed.settledAt = nil
                return changed
            })
    }

    private func record<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Data? {
        try base.find(type, id: id).map { try WireCoding.encode($0.entity) }
    }
}
