import Foundation
import TrendyDomain

/// Settles the creates whose records the server has from elsewhere, as the pull before this push has shown.
///
/// The version that is here is the server's, so nobody has to look at each: an import that another device has sent already
/// asks for nothing. What loses to it is listed.
struct HeardCreates {
    let cycle: SyncCycle

    /// So many are settled in one save, so that others can write between.
    private static let chunk = 500

    /// Settles those of a kind, when the push has seen to its parents: theirs may have merged into others.
    func settle<Entity: SyncEntity>(_ type: Entity.Type) throws {
        guard cycle.hasHeard else { return }
        var last: Int64 = 0
        while true {
            let query = MutationQuery(
                states: [.queued], entityType: Entity.entityType, operations: [.create], afterId: last,
                limit: Self.chunk)
            let creates = try cycle.read { try $0.fetchMutations(query) }
            let foreign = creates.filter(\.isForeign)
            if !foreign.isEmpty {
                try cycle.write { store in for create in foreign { try settle(create, type, in: store) } }
            }
            guard creates.count == Self.chunk, let next = creates.last?.id else { return }
            last = next
        }
    }

    private func settle<Entity: SyncEntity>(
        _ create: PendingMutation, _ type: Entity.Type, in store: any DataStoreProtocol
    ) throws {
        // The person may have changed it meanwhile, and an edit shows in the record.
        guard try store.openMutations(Entity.entityType, create.entityId) == [create],
            let record = try store.find(type, id: create.entityId), record.server != ServerFields(),
            let entity = try? WireCoding.decode(Entity.self, from: create.payload ?? Data())
        else { return }
        let remote = Remote(record.entity, server: record.server)
        try DuplicateFinder<Entity>(cycle: cycle).listLosses(of: entity, to: remote, in: store)
        try cycle.settler(on: store).accept(create, remote)
    }
}
