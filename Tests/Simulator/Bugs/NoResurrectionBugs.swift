import Foundation
import TrendyDomain

extension PlantedBug {
    static let noResurrectionBugs = [acceptedDeletionIsForgotten, bootstrapResurrects, editMakesRecordAnew]

    /// A deletion is forgotten once the server has taken it, though older changes of the record are still to come.
    private static let acceptedDeletionIsForgotten = PlantedBug(
        name: "accepted deletion is forgotten", promise: .noResurrection, knownSeed: 16,
        plant: { _ in .store { WithoutEchoWatch($0) } })

    /// What was deleted here comes back with a listing that was begun before.
    private static let bootstrapResurrects = PlantedBug(
        name: "bootstrap resurrects", promise: .noResurrection, knownSeed: 16,
        plant: { _ in .store { ListingsWin($0) } })

    /// An edit of a record that was deleted elsewhere makes it anew.
    private static let editMakesRecordAnew = PlantedBug(
        name: "edit makes a deleted record anew", promise: .noResurrection, knownSeed: 42,
        plant: { _ in .store { RemakesEdited($0) } })
}

private final class WithoutEchoWatch: ForwardingStore {
    override func updateMutation(_ mutation: PendingMutation) throws {
        var mutation = mutation
        if mutation.state == .accepted, mutation.operation == .delete { mutation.answer?.awaitsEcho = false }
        try super.updateMutation(mutation)
    }
}

private final class ListingsWin: ForwardingStore {
    override func replaceWithStaged<Entity: SyncEntity>(_ type: Entity.Type, keeping: Set<String>) throws {
        let deletions = MutationQuery(entityType: Entity.entityType, operations: [.delete])
        let deleted = try base.fetchMutations(deletions).map(\.entityId)
        try super.replaceWithStaged(type, keeping: keeping.subtracting(deleted))
    }
}

private final class RemakesEdited: ForwardingStore {
    override func updateMutation(_ mutation: PendingMutation) throws {
        var mutation = mutation
        if case .parked(let reason) = mutation.state, reason.code == .deletedElsewhere, mutation.operation == .update,
            let type = EntitySchema.trendy.type(for: mutation.entityType),
            let record = try record(type, mutation.entityId)
        {
            mutation.operation = .create
            mutation.payload = record
            mutation.state = .queued
            mutation.settledAt = nil
        }
        try super.updateMutation(mutation)
    }

    private func record<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Data? {
        try base.find(type, id: id).map { try WireCoding.encode($0.entity) }
    }
}
