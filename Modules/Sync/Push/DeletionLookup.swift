import TrendyDomain

/// Tells from the feed which records were deleted after what is applied here.
///
/// A create that the server has taken without saying so, and whose record is missing now, looks like one that never
/// arrived. The feed knows the difference.
final class DeletionLookup {
    /// What the feed tells of some creates.
    enum Fate {
        /// These were taken, and their records deleted elsewhere since; the others were not.
        case taken([PendingMutation])
        /// The feed could not be read to its end.
        case unknown(String)
    }

    private let cycle: SyncCycle
    /// How far the feed has been read; nil before the first question.
    private var cursor: Int64?
    private var deleted: Set<RecordKey> = []
    /// What a stretch that was passed over before shows, for the creates that waited then; nil before it was read.
    private var passed: (stretch: PassedStretch, deletions: [RecordKey: Int64])?
    /// Why that stretch cannot be read.
    private var passedFailure: String?
    private var fullPages = 0
    /// Why the feed cannot be read: every other question would meet the same.
    private var failure: String?

    /// So many pages are read in a push at most, beside the feed's last: who is further behind pulls first.
    private static let pageLimit = 50

    init(cycle: SyncCycle) {
        self.cycle = cycle
    }

    /// What became of these creates.
    ///
    /// To be asked after a look has shown that a record is missing: every question reads on in the feed, since the
    /// deletion may be as young as that look. Of a create that makes a record anew the feed cannot tell: an earlier
    /// deletion may be the one that it shows.
    func fate(of creates: [PendingMutation]) async throws -> Fate {
        try await readPassed(for: creates)
        let reason = try await readOn(within: Self.pageLimit)
        let taken = try seen(creates)
        if taken.isEmpty, let reason = reason ?? doubt(about: creates) { return .unknown(reason) }
        return .taken(taken)
    }

    /// Those of these creates of whose records a part of the feed shows that they were deleted.
    ///
    /// - Parameter pages: So many pages are read at most, beside what was passed over.
    func seenTaken(of creates: [PendingMutation], within pages: Int) async throws -> [PendingMutation] {
        try await readPassed(for: creates)
        _ = try await readOn(within: pages)
        return try seen(creates)
    }

    /// The parent of a new record that was deleted in what was passed over: the record may have gone with it, and the feed
    /// need not say so. To be asked after the fate.
    func lostParent<Entity: SyncEntity>(of create: PendingMutation, _ entity: Entity) throws -> ParentReference? {
        guard let passed, let place = passed.stretch.places[create.id] else { return nil }
        let fields = try StringFields.of(entity)
        return Entity.parents.first { reference in
            guard reference.onDelete == .cascade, let id = fields[reference.field] else { return false }
            let parent = RecordKey(entityType: reference.entityType, entityId: id)
            return passed.deletions[parent].map { $0 > place.applied } ?? false
        }
    }

    private func seen(_ creates: [PendingMutation]) throws -> [PendingMutation] {
        let gone = creates.filter { create in
            if deleted.contains(RecordKey(create)) { return true }
            guard let passed, let place = passed.stretch.places[create.id] else { return false }
            return passed.deletions[RecordKey(create)].map { $0 > place.start } ?? false
        }
        if gone.isEmpty { return [] }
        return try cycle.read { store in
            let applier = cycle.applier(on: store)
            return try gone.filter { try applier.isFirst($0) }
        }
    }

    /// Reads once what was passed over unread and may tell of these creates, as far as the limit goes: who passed it over
    /// did not want to read all of it.
    private func readPassed(for creates: [PendingMutation]) async throws {
        guard passed == nil, let stretch = try cycle.read({ try PassedStretch.stored(in: $0) }),
            creates.contains(where: { stretch.places[$0.id] != nil }),
            var since = try cycle.read({ try stretch.start(in: $0) })
        else { return }
        let end = try cycle.read { try FeedWindow.stored(in: $0).settled }
        passed = (stretch, [:])
        let reader = FeedReader(cycle: cycle)
        do {
            for _ in 0..<Self.pageLimit where since < end {
                let page = try await reader.page(since: since)
                for entry in page.deletions { passed?.deletions[RecordKey(entry)] = entry.id }
                since = page.hasMore ? page.nextCursor : end
                // Renews the lease: pages may come slowly.
                try cycle.write { _ in }
            }
        } catch let stop as CycleStop {
            switch stop {
            case .unreachable: passedFailure = stop.message
            case .protocolBroken, .feedRefused: break
            default: throw stop
            }
        }
    }

    /// Why nobody can tell yet whether these creates were deleted in what was passed over. A server that never shows that
    /// stretch is believed to have nothing to say after a few cycles.
    private func doubt(about creates: [PendingMutation]) -> String? {
        guard let passedFailure, let passed else { return nil }
        let isYoung = creates.contains { create in
            passed.stretch.places[create.id].map { create.attempts - $0.attempts < cycle.configuration.blameLimit }
                ?? false
        }
        return isYoung ? passedFailure : nil
    }

    /// Reads on to the end of the feed. Answers why it was not reached; nil where it was.
    private func readOn(within pages: Int) async throws -> String? {
        if let failure { return failure }
        do {
            return try await read(pages) ? nil : "the server's change feed goes on for longer than a look reads"
        } catch let stop as CycleStop {
            switch stop {
            // Nothing that ails the feed holds back what has no need of it.
            case .unreachable, .protocolBroken, .feedRefused: failure = stop.message
            default: throw stop
            }
        }
        return failure
    }

    /// Answers whether the end was reached.
    private func read(_ pages: Int) async throws -> Bool {
        let reader = FeedReader(cycle: cycle)
        var since = try cursor ?? cycle.read { try FeedWindow.stored(in: $0).settled }
        for _ in 0..<min(pages, Self.pageLimit - fullPages) {
            let page = try await reader.page(since: since)
            deleted.formUnion(page.deletions.map { RecordKey($0) })
            since = page.nextCursor
            cursor = since
            if !page.hasMore { return true }
            fullPages += 1
            // Renews the lease: pages may come slowly.
            try cycle.write { _ in }
        }
        return false
    }
}

extension ChangeFeedResponse {
    fileprivate var deletions: [ChangeEntry] { changes.filter { $0.operation == .delete } }
}
