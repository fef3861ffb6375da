import Foundation
import TrendyDomain

/// Sends what was done here.
///
/// Creates and edits go kind by kind, parents first, then deletions, children first. What cannot go now
/// (its record or its parent is held up) is left for later and holds up nothing else.
final class PushPhase {
    let cycle: SyncCycle
    /// Records that wait for the next cycle, because one of their mutations could not be settled.
    var heldRecords: Set<RecordKey> = []
    /// Creates and renames that were refused as duplicates, to be tried once more when deletions are through.
    var refusedDuplicates: [PendingMutation] = []
    /// Creates that the server has not taken in a batch, to be sent by themselves.
    var retrySingly: [PendingMutation] = []
    /// Creates that the server may have taken in a batch, though it never said so: a look tells before they are sent.
    var perhapsTaken: [PendingMutation] = []
    /// What the feed says of records that are missing on the server.
    let deletions: DeletionLookup
    /// Mutations on which the server failed in this cycle, and what it said.
    var blamed: [(mutation: PendingMutation, refusal: Refusal)] = []
    /// Failures of the server in a row.
    private var failuresInARow = 0
    /// Requests of this cycle that looked for what a batch fails on.
    private var searchRequests = 0
    /// Whether the server has judged any mutation of this cycle.
    private(set) var hasAnswered = false
    /// Whether a refusal has settled a mutation for good, because a deletion covers it: that can go now.
    var hasFreed = false
    /// Whether the server has answered a look at a record on which it had failed.
    var looksWell = false
    private var total = 0
    /// So many pages of the feed are read before a batch goes again: what waits is not to wait for a long backlog.
    private static let pagesBeforePush = 10
    /// Kinds whose batches of earlier cycles have been seen to.
    private var resumed: Set<EntityType> = []

    init(cycle: SyncCycle) {
        self.cycle = cycle
        deletions = DeletionLookup(cycle: cycle)
    }

    func run() async throws {
        total = try cycle.read { try $0.countMutations(.unsent) }
        if total == 0 { return }
        cycle.onState(.syncing(synced: 0, total: total))
        do {
            try await pushWhatCanGo()
        } catch is PushHalt {
            // What others have done is heard all the same. A server that is down fails on that, too.
        }
    }

    private func pushWhatCanGo() async throws {
        var isFurther: Bool
        repeat {
            try await pushAll()
            let before = cycle.pushed
            // What waited for a deletion of the same id.
            for type in cycle.schema.types { try await pushCreates(type) }
            try await retryDuplicates()
            let parked = try judgeBlamed()
            // What waited for one of those can go now.
            isFurther = cycle.pushed > before || parked || hasFreed
            hasFreed = false
        } while isFurther
        // What comes next would be refused alike, and would tell less.
        if let lost = cycle.apiSight?.lost { throw lost.asStop }
    }

    /// Parks what the server has failed on for too long. Answers whether there was any.
    private func judgeBlamed() throws -> Bool {
        let keeper = BlameKeeper(cycle: cycle)
        if !hasAnswered {
            guard looksWell, let only = blamed.first, blamed.count == 1,
                try keeper.speaksAgainst(only.mutation, only.refusal)
            else { return false }
        }
        let parked = try keeper.judge(blamed)
        blamed = []
        heldRecords.subtract(parked)
        return !parked.isEmpty
    }

    private func pushAll() async throws {
        for type in cycle.schema.types {
            try await pushCreates(type)
            try await pushSingles(type, .update)
        }
        for type in cycle.schema.types.reversed() {
            try await pushSingles(type, .delete)
        }
    }

    /// Tells how far the push has come.
    func progressed(by count: Int) {
        cycle.pushed += count
        cycle.onState(.syncing(synced: cycle.pushed, total: max(total, cycle.pushed)))
    }

    // MARK: One kind

    private func pushCreates<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        try HeardCreates(cycle: cycle).settle(type)
        let batchSize = batchSize(for: type)
        if batchSize > 0 {
            try await breakUpDeleted(type)
            // A server may keep under one id what was deleted here and what was made anew: what is older goes first.
            let older = try PushWindows<Entity>(cycle: cycle, batchSize: batchSize)
                .createsBeforeDeletions(heldRecords: heldRecords)
            try await push(BatchQueue(push: self, only: older))
            return try await push(BatchQueue<Entity>(push: self, batchSize: batchSize))
        }
        var before: Int
        repeat {
            before = cycle.pushed
            try await pushSingles(type, .create)
            // Each pass through a kind whose records are each other's parents brings one generation further.
        } while isOwnParent(type) && cycle.pushed > before
    }

    /// Breaks up batches that went in an earlier cycle without an answer, and of which the feed tells that something was
    /// taken and deleted elsewhere since, itself or with its parent: each of their creates is looked for.
    ///
    /// Not every server knows a batch again by its key; one that does not would make anew what others have deleted. Who
    /// has not read the feed yet has no place in it to read on from, and sends the batch as it was; so does who cannot
    /// read it, because nothing that ails the feed is to hold back what was done here.
    private func breakUpDeleted<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        guard resumed.insert(Entity.entityType).inserted else { return }
        let underWay = MutationQuery(states: [.sending], entityType: Entity.entityType, operations: [.create])
        let batched = try cycle.read { store in
            try store.cursor() == nil ? [] : store.fetchMutations(underWay).filter { $0.batchKey != nil }
        }
        // What was refused for too many requests was not taken.
        let isRefused = cycle.breaker != CircuitBreaker()
        let sent = batched.filter { $0.attempts > 0 || !isRefused }
        if sent.isEmpty { return }
        var taken = try await deletions.seenTaken(of: sent, within: Self.pagesBeforePush)
        taken += try sent.filter { create in
            let entity = try? WireCoding.decode(Entity.self, from: create.payload ?? Data())
            return try entity.flatMap { try deletions.lostParent(of: create, $0) } != nil
        }
        let broken = Set(taken.compactMap(\.batchKey))
        try leaveBatches(sent.filter { $0.batchKey.map(broken.contains) ?? false })
    }

    private func push<Entity: SyncEntity>(_ batches: BatchQueue<Entity>) async throws {
        try await BatchSender<Entity>(push: self).send(batches)
        try await sendSingly(Entity.self)
    }

    private func isOwnParent<Entity: SyncEntity>(_ type: Entity.Type) -> Bool {
        type.parents.contains { $0.entityType == Entity.entityType }
    }

    /// How many creates go with one request; 0 where they go one by one.
    private func batchSize<Entity: SyncEntity>(for type: Entity.Type) -> Int {
        // Children of the same kind must follow their parents.
        if isOwnParent(type) { return 0 }
        return min(cycle.networkClient.capabilities(of: Entity.entityType).batchLimit, cycle.configuration.batchSize)
    }

    private func pushSingles<Entity: SyncEntity>(_ type: Entity.Type, _ operation: MutationOperation) async throws {
        let windows = PushWindows<Entity>(cycle: cycle, batchSize: 0)
        while let window = try windows.next([operation], heldRecords: heldRecords) {
            for mutation in window.singles where !heldRecords.contains(RecordKey(mutation)) {
                let sender = SingleSender<Entity>(push: self, looksFirst: try mayBeOthers(mutation))
                try await sender.send(mutation)
            }
        }
    }

    /// Whether it makes a record that the server may have, and not by the key that it goes under: it would make again what
    /// was deleted elsewhere since, or undo what others have changed.
    private func mayBeOthers(_ mutation: PendingMutation) throws -> Bool {
        if mutation.operation != .create { return false }
        return try outlivesItsKey(mutation) || cycle.read { try cycle.applier(on: $0).mayDiffer(mutation) }
    }

    /// Whether an attempt is so old that the server may have forgotten the key.
    private func outlivesItsKey(_ mutation: PendingMutation) -> Bool {
        guard mutation.state == .sending || mutation.attempts > 0 else { return false }
        let age = cycle.wallClock.now().milliseconds - (mutation.lastAttemptAt ?? mutation.createdAt).milliseconds
        return age > cycle.configuration.keyLifetime
    }

    /// Sends creates that left their batches, each by itself.
    func sendSingly<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        let left = retrySingly.map { ($0, false) } + perhapsTaken.map { ($0, true) }
        try leaveBatches(retrySingly)
        (retrySingly, perhapsTaken) = ([], [])
        for (mutation, looksFirst) in left {
            try await SingleSender<Entity>(push: self, looksFirst: looksFirst).send(mutation)
        }
    }

    /// Takes creates out of the batches that did not settle them: from here on the server knows them by their own
    /// keys, and a process that dies must not leave them in a batch. The store is asked for their batches, because a
    /// window holds them as they were before it was marked.
    private func leaveBatches(_ creates: [PendingMutation]) throws {
        if creates.isEmpty { return }
        try cycle.write { store in
            let batched = try creates.compactMap { try store.findMutation(id: $0.id) }
                .filter { $0.state == .sending && $0.batchKey != nil }
            if !batched.isEmpty { try store.markSending(batched.map(\.id), batchKey: nil) }
        }
    }

    /// A name that was refused as taken may be free now that deletions are through; of several, one may make room for
    /// the next.
    private func retryDuplicates() async throws {
        var areFinal = refusedDuplicates.count == 1
        while !refusedDuplicates.isEmpty {
            let (refused, before) = (refusedDuplicates, cycle.pushed)
            refusedDuplicates = []
            for mutation in refused {
                guard let type = cycle.schema.type(for: mutation.entityType) else { continue }
                heldRecords.remove(RecordKey(mutation))
                try await retryDuplicate(type, mutation, isFinal: areFinal)
            }
            areFinal = cycle.pushed == before
        }
    }

    private func retryDuplicate<Entity: SyncEntity>(
        _ type: Entity.Type, _ mutation: PendingMutation, isFinal: Bool
    ) async throws {
        try await SingleSender<Entity>(push: self, duplicatesAreFinal: isFinal).send(mutation)
    }

    // MARK: Failures of the server

    /// What it means where these get no answer: what has met that twice, while a health check was answered, must not keep
    /// what waits behind it, and what others have done.
    func silence(of mutations: [PendingMutation]) -> Silence {
        mutations.contains { $0.attempts >= Self.silencesBeforeOthers } ? .isRefusal : .endsCycle
    }

    private static let silencesBeforeOthers = 2

    func serverAnswered() {
        failuresInARow = 0
        hasAnswered = true
    }

    /// Counts a failure of the server.
    ///
    /// - Throws: ``PushHalt`` where it fails on everything, so that going on would only add to its load.
    func serverFailed(_ refusal: Refusal) throws {
        failuresInARow += 1
        if failuresInARow >= cycle.configuration.serverErrorLimit { throw PushHalt(refusal: refusal) }
    }

    /// Whether the search for what batches fail on has asked enough in this cycle.
    ///
    /// The rest of such a batch waits for the next cycle, so that a limiter of requests has room for everything else.
    var isSearchOver: Bool { searchRequests >= Self.searchLimit }

    /// Counts a request of that search.
    func searched() { searchRequests += 1 }

    private static let searchLimit = 60
}

/// Ends a push, but not its cycle: the server has failed on too much in a row.
struct PushHalt: Error {
    /// What it said last.
    var refusal: Refusal
}

/// Names one record of one kind.
struct RecordKey: Hashable {
    var entityType: EntityType
    var entityId: String

    init(entityType: EntityType, entityId: String) {
        self.entityType = entityType
        self.entityId = entityId
    }

    init(_ entry: ChangeEntry) {
        self.init(entityType: entry.entityType, entityId: entry.entityId)
    }

    init(_ mutation: PendingMutation) {
        self.init(entityType: mutation.entityType, entityId: mutation.entityId)
    }
}
