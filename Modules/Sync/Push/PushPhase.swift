import Foundation
import TrendyDomain

/// Sends what was done here.
///
/// Creates and edits go kind by kind, parents first, then deletions, children first. What cannot go now
/// (its record or its parent is held up) is left for later and holds up nothing else.
final class PushPhase {
    let cycle: SyncCycle
    /// Records that wait for the next cycle, because the server failed on one of their mutations.
    var heldRecords: Set<RecordKey> = []
    /// Creates that were refused as duplicates, to be tried once more when deletions are through.
    var refusedDuplicates: [PendingMutation] = []
    /// Creates that a batch did not settle, to be sent by themselves.
    var retrySingly: [PendingMutation] = []
    /// Mutations on which the server failed in this cycle, and what it said.
    var blamed: [(PendingMutation, String)] = []
    /// Failures of the server in a row.
    private var failuresInARow = 0
    private var total = 0

    init(cycle: SyncCycle) {
        self.cycle = cycle
    }

    func run() async throws {
        total = try cycle.read { try $0.countMutations(.unsent) }
        if total == 0 { return }
        cycle.onState(.syncing(synced: 0, total: total))
        for type in cycle.schema.types {
            try await push(type, [.create, .update])
        }
        for type in cycle.schema.types.reversed() {
            try await push(type, [.delete])
        }
        try await retryDuplicates()
        try BlameKeeper(cycle: cycle).judge(blamed)
    }

    /// Tells how far the push has come.
    func progressed(by count: Int) {
        cycle.pushed += count
        cycle.onState(.syncing(synced: cycle.pushed, total: max(total, cycle.pushed)))
    }

    // MARK: One kind

    private func push<Entity: SyncEntity>(_ type: Entity.Type, _ operations: Set<MutationOperation>) async throws {
        let windows = PushWindows<Entity>(cycle: cycle)
        while let window = try windows.next(operations, heldRecords: heldRecords) {
            try cycle.admit()
            if !window.batches.isEmpty {
                try await BatchSender<Entity>(push: self).send(window.batches)
                try await sendSingly(Entity.self)
            }
            for mutation in window.singles where !heldRecords.contains(RecordKey(mutation)) {
                try await SingleSender<Entity>(push: self).send(mutation)
            }
        }
    }

    private func sendSingly<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        let left = retrySingly
        retrySingly = []
        for mutation in left {
            guard let present = try cycle.read({ try $0.findMutation(id: mutation.id) }), present.state.isUnsent
            else { continue }
            try await SingleSender<Entity>(push: self).send(present)
        }
    }

    /// A name that was refused as taken may be free now that deletions are through.
    private func retryDuplicates() async throws {
        let refused = refusedDuplicates
        refusedDuplicates = []
        for mutation in refused {
            guard let type = cycle.schema.type(for: mutation.entityType) else { continue }
            try await retryDuplicate(type, mutation)
        }
    }

    private func retryDuplicate<Entity: SyncEntity>(_ type: Entity.Type, _ mutation: PendingMutation) async throws {
        try await SingleSender<Entity>(push: self, duplicatesAreFinal: true).send(mutation)
    }

    // MARK: Failures of the server

    func serverAnswered() {
        failuresInARow = 0
    }

    /// Counts a failure of the server.
    ///
    /// - Throws: ``CycleStop`` where it fails on everything, so that going on would only add to its load.
    func serverFailed(_ refusal: Refusal) throws {
        failuresInARow += 1
        if failuresInARow >= cycle.configuration.serverErrorLimit { throw CycleStop.unreachable(refusal.message) }
    }
}

/// Names one record of one kind.
struct RecordKey: Hashable {
    var entityType: EntityType
    var entityId: String

    init(entityType: EntityType, entityId: String) {
        self.entityType = entityType
        self.entityId = entityId
    }

    init(_ mutation: PendingMutation) {
        self.init(entityType: mutation.entityType, entityId: mutation.entityId)
    }
}
