import Foundation
import TrendyDomain

/// Hears what others say before a push that sends new records which they may have as well.
///
/// A create replaces what the server has under its id. An import of the same file on two devices, and a record that is put
/// back on both, would otherwise undo what the other one has changed in it since. Where this has heard of the record, the
/// push looks at it first (``PendingMutation/isForeign``).
struct EarlyPull {
    let cycle: SyncCycle

    /// - Returns: What ails the feed, to end the cycle with after the push: that is not to hold back what was done here.
    func run() async throws -> CycleStop? {
        guard let reason = try cycle.read({ try $0.metadata(MetadataKey.pullFirst) }) else { return nil }
        do {
            try await pull()
        } catch let stop as CycleStop {
            switch stop {
            case .unreachable, .protocolBroken, .feedRefused, .feedReplaced, .quarantineFull: return stop
            default: throw stop
            }
        }
        for type in cycle.schema.types { try acceptEqual(type) }
        try cycle.write { store in
            // Another process may have put in more meanwhile.
            if try store.metadata(MetadataKey.pullFirst) == reason { try store.setMetadata(MetadataKey.pullFirst, nil) }
        }
        return nil
    }

    /// Settles the creates that say just what the server has, so that nobody has to look at each.
    private func acceptEqual<Entity: SyncEntity>(_ type: Entity.Type) throws {
        let creates = MutationQuery(states: [.queued], entityType: Entity.entityType, operations: [.create])
        let foreign = try cycle.read { try $0.fetchMutations(creates).filter(\.isForeign) }
        if foreign.isEmpty { return }
        try cycle.write { store in
            let settler = try cycle.settler(on: store)
            for create in foreign {
                // The person may have changed it meanwhile.
                guard try store.openMutations(Entity.entityType, create.entityId) == [create],
                    let record = try store.find(type, id: create.entityId), record.server != ServerFields(),
                    (try? WireCoding.decode(Entity.self, from: create.payload ?? Data())) == record.entity
                else { continue }
                try settler.accept(create, Remote(record.entity, server: record.server))
            }
        }
    }

    private func pull() async throws {
        if try cycle.read({ try $0.needsBootstrap() }) { try await cycle.bootstrap() }
        try await PullPhase(cycle: cycle).run()
        cycle.hasMore = false
    }
}

extension SyncCycle {
    /// Fetches everything anew, unless this cycle has done so.
    func bootstrap() async throws {
        if bootstrapped { return }
        isListing = true
        defer { isListing = false }
        try await BootstrapPhase(cycle: self).run()
    }
}
