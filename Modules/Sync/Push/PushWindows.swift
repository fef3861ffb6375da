import Foundation
import TrendyDomain

/// A create that is ready to be sent.
struct ReadyCreate<Entity: SyncEntity>: Sendable {
    var mutation: PendingMutation
    var entity: Entity
}

/// Creates that go with one request, under one idempotency key.
struct CreateBatch<Entity: SyncEntity>: Sendable {
    var key: String
    /// With their mutations as they were before they were marked for this batch.
    var creates: [ReadyCreate<Entity>]

    /// Whether it went before, and nobody knows what became of it.
    var wasSent: Bool { creates.contains { $0.mutation.state == .sending } }
}

/// The next mutations of a kind, marked as sending.
struct PushWindow<Entity: SyncEntity> {
    var batches: [CreateBatch<Entity>] = []
    var singles: [PendingMutation] = []
    /// Creates that the server may have under another key than their own.
    var perhapsTaken: [PendingMutation] = []
}

/// Takes the mutations of a kind from the queue, a window at a time, and marks them as sending.
///
/// From the moment of marking nothing is merged into them any more. A batch that was under way when a
/// process died, or whose answer was lost, is sent again with the same content under the same key.
final class PushWindows<Entity: SyncEntity> {
    private let cycle: SyncCycle
    private let batchSize: Int
    private var lastId: Int64 = 0
    /// Parents whose creation does not wait, as the store said when this window was taken. Meanwhile another process may
    /// have deleted one and made it anew.
    private var bornParents: Set<String> = []

    /// - Parameter batchSize: How many creates go with one request; 0 where they go one by one.
    init(cycle: SyncCycle, batchSize: Int) {
        self.cycle = cycle
        self.batchSize = batchSize
    }

    /// The next window; nil where the queue has no more of the kind.
    func next(_ operations: Set<MutationOperation>, heldRecords: Set<RecordKey>) throws -> PushWindow<Entity>? {
        let query = MutationQuery(
            states: [.queued, .sending], entityType: Entity.entityType, operations: operations, afterId: lastId,
            limit: cycle.configuration.windowSize)
        // Of most kinds nothing waits, and a save waits for the disk.
        var first = query
        first.limit = 1
        if try cycle.read({ try $0.fetchMutations(first) }).isEmpty { return nil }
        return try cycle.write { store in
            let waiting = wholeBatches(of: try store.fetchMutations(query))
            guard let last = waiting.last else { return nil }
            lastId = last.id
            return try window(of: waiting, heldRecords, in: store)
        }
    }

    /// The creates that the server may have, and whose records were deleted here since, with the batches that they
    /// were in.
    func createsBeforeDeletions(heldRecords: Set<RecordKey>) throws -> PushWindow<Entity> {
        let deletions = MutationQuery(
            states: [.queued, .sending, .parked], entityType: Entity.entityType, operations: [.delete])
        let underWay = MutationQuery(states: [.sending], entityType: Entity.entityType, operations: [.create])
        if try cycle.read({ try $0.countMutations(deletions) }) == 0 { return PushWindow() }
        return try cycle.write { store in
            let doomed = try store.fetchMutations(deletions)
                .flatMap { try store.openMutations(Entity.entityType, $0.entityId) }
                .filter { $0.operation == .create && $0.state.isUnsent }
            let keys = Set(doomed.compactMap(\.batchKey))
            let members = try keys.isEmpty ? [] : store.fetchMutations(underWay)
            let batched = members.filter { member in member.batchKey.map(keys.contains) ?? false }
            return try window(of: batched + doomed.filter { $0.batchKey == nil }, heldRecords, in: store)
        }
    }

    private func window(
        of waiting: [PendingMutation], _ heldRecords: Set<RecordKey>, in store: any DataStoreProtocol
    ) throws -> PushWindow<Entity> {
        bornParents = []
        var window = PushWindow<Entity>()
        var loose: [ReadyCreate<Entity>] = []
        var resent: [String: [ReadyCreate<Entity>]] = [:]
        for mutation in waiting where !heldRecords.contains(RecordKey(mutation)) {
            guard let ready = try prepare(mutation, in: store) else { continue }
            guard batchSize > 0, let create = ready.create else {
                window.singles.append(ready.mutation)
                continue
            }
            switch (mutation.state, mutation.batchKey) {
            case (.sending, let key?): resent[key, default: []].append(create)
            // It was in a batch before it went by itself, or was about to: the server may have it under either key.
            case (.sending, nil): window.perhapsTaken.append(mutation)
            case _ where mutation.attempts > 0: window.perhapsTaken.append(mutation)
            default: loose.append(create)
            }
        }
        window.batches = resent.sorted { $0.key < $1.key }.map { CreateBatch(key: $0.key, creates: $0.value) }
        window.batches += newBatches(of: loose)
        try mark(window, in: store)
        return window
    }

    /// Leaves the last batch for the next window where the end of this one may have cut it in two.
    private func wholeBatches(of waiting: [PendingMutation]) -> [PendingMutation] {
        guard waiting.count == cycle.configuration.windowSize, let last = waiting.last, last.state == .sending,
            let key = last.batchKey, let first = waiting.firstIndex(where: { $0.batchKey == key }), first > 0
        else { return waiting }
        return Array(waiting[..<first])
    }

    private func newBatches(of creates: [ReadyCreate<Entity>]) -> [CreateBatch<Entity>] {
        stride(from: 0, to: creates.count, by: max(1, batchSize)).map { start in
            let members = creates[start..<min(start + batchSize, creates.count)]
            return CreateBatch(key: cycle.identifiers.makeId(), creates: Array(members))
        }
    }

    private func mark(_ window: PushWindow<Entity>, in store: any DataStoreProtocol) throws {
        for batch in window.batches {
            let unmarked = batch.creates.map(\.mutation).filter { $0.state != .sending || $0.batchKey != batch.key }
            if !unmarked.isEmpty { try store.markSending(unmarked.map(\.id), batchKey: batch.key) }
        }
        // What the server may have keeps its mark until a look has told.
        let unmarked = window.singles.filter { $0.state != .sending }
        if !unmarked.isEmpty { try store.markSending(unmarked.map(\.id), batchKey: nil) }
    }

    // MARK: Whether a mutation may go

    private struct Ready {
        var mutation: PendingMutation
        var create: ReadyCreate<Entity>?
    }

    /// The mutation as it can be sent; nil where it is held up, or can be sent by nobody.
    private func prepare(_ mutation: PendingMutation, in store: any DataStoreProtocol) throws -> Ready? {
        let open = try openMutations(beside: mutation, in: store)
        let earlier = open.filter { $0.id < mutation.id }
        if waits(mutation, for: earlier) || mutation.operation == .create && givesWay(mutation, among: open) {
            return nil
        }
        do {
            switch mutation.operation {
            case .create:
                let entity = try WireCoding.decode(Entity.self, from: mutation.payload ?? Data())
                if !Entity.parents.isEmpty, try hasUnbornParent(StringFields.of(entity), in: store) { return nil }
                try closeFormerEdits(among: earlier, coveredBy: mutation, in: store)
                return Ready(mutation: mutation, create: ReadyCreate(mutation: mutation, entity: entity))
            case .update:
                let patch = try mutation.patch(of: Entity.self)
                if try hasUnbornParent(patch.changes.compactMapValues(\.stringValue), in: store) { return nil }
                return Ready(mutation: mutation)
            case .delete:
                return Ready(mutation: mutation)
            }
        } catch let error as DecodingError {
            let reason = ParkReason(code: .unreadable, message: "its payload cannot be read: \(inWords(error))")
            try cycle.settler(on: store).park(mutation, reason, type: Entity.self)
            return nil
        }
    }

    /// The open mutations of its record; none where it is alone.
    private func openMutations(
        beside mutation: PendingMutation, in store: any DataStoreProtocol
    ) throws -> [PendingMutation] {
        if mutation.operation == .create {
            // Only counted: an import queues a hundred thousand of these.
            let all = MutationQuery(
                states: [.queued, .sending, .parked], entityType: mutation.entityType, entityId: mutation.entityId)
            guard try store.countMutations(all) > 1 else { return [] }
        }
        return try store.openMutations(mutation.entityType, mutation.entityId)
    }

    /// Whether another create of the same record goes first: the last that may have left, else the first. Under way at
    /// once, either could come last.
    private func givesWay(_ create: PendingMutation, among open: [PendingMutation]) -> Bool {
        // What comes after a deletion waits for that.
        let creates = open.prefix { $0.operation != .delete }.filter { $0.operation == .create && $0.state.isUnsent }
        guard let first = creates.last(where: \.hasLeft) ?? creates.first else { return false }
        return first.id != create.id
    }

    /// Whether an earlier mutation of the same record stands in the way: a parked one, before an update its
    /// creation, before a deletion any at all, and before a creation a deletion.
    private func waits(_ mutation: PendingMutation, for earlier: [PendingMutation]) -> Bool {
        switch mutation.operation {
        case .create: earlier.contains { $0.operation == .delete }
        case .update: earlier.contains { $0.operation == .create || $0.state.name == .parked }
        case .delete: !earlier.isEmpty
        }
    }

    /// Settles edits of a record that was deleted and made anew since, where the deletion was given up: what is left of
    /// them is in the creation, and sent after it they would undo what was edited later.
    private func closeFormerEdits(
        among earlier: [PendingMutation], coveredBy create: PendingMutation, in store: any DataStoreProtocol
    ) throws {
        let edits = earlier.filter { $0.operation == .update }
        if edits.isEmpty { return }
        let ends = try store.fetchMutations(
            MutationQuery(entityType: create.entityType, operations: [.delete], entityId: create.entityId))
        let settler = try cycle.settler(on: store)
        for edit in edits where ends.contains(where: { edit.id < $0.id && $0.id < create.id }) {
            // One that was never tried has gone into the deletion; this one was moved here from another record since,
            // and says what the creation does not.
            if edit.state == .queued, edit.attempts == 0, edit.lastAttemptAt == nil { continue }
            try settler.cover(edit, by: create)
        }
    }

    /// Whether a parent's own creation has not been accepted yet.
    private func hasUnbornParent(_ fields: [String: String], in store: any DataStoreProtocol) throws -> Bool {
        try Entity.parents.contains { reference in
            guard let parentId = fields[reference.field], !bornParents.contains(parentId) else { return false }
            let query = MutationQuery(
                states: [.queued, .sending, .parked], entityType: reference.entityType, operations: [.create],
                entityId: parentId)
            if try store.countMutations(query) > 0 { return true }
            bornParents.insert(parentId)
            return false
        }
    }
}
