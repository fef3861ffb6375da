import TrendyDomain

/// Compares what a device has with what the server has, kind by kind, and mends what differs where that is asked for.
///
/// It works from the server's listings, which every server of the protocol has: they are staged page by page as in a
/// bootstrap, and then gone through beside the records, so that no more than a page of each is in memory. What changes
/// meanwhile is no difference: everything that seems to differ is looked at once more, and counts only where the feed
/// shows that it has not moved since.
struct StoreAudit {
    let cycle: SyncCycle
    let isRepair: Bool
    let journal = AuditJournal()

    /// How often a feed is read on, a cycle's worth of pages each time, before it counts as one without end.
    private static let pulls = 50
    /// After how many records the lease is renewed.
    private static let leaseInterval = 2_000

    /// - Parameter report: Has what was compared up to the error, where one is thrown.
    func run(_ report: inout StoreAuditReport) async throws {
        cycle.onState(.pulling)
        try clearStaged()
        defer { try? clearStaged() }
        try await pull()
        for type in cycle.schema.types { try await compare(type, &report) }
    }

    private func compare<Entity: SyncEntity>(_ type: Entity.Type, _ report: inout StoreAuditReport) async throws {
        try await stage(type)
        try await pull()
        var kind = StoreAuditReport.Kind(Entity.entityType)
        kind.unusable = journal.count(of: Entity.entityType)
        let suspects = try walk(type, &kind)
        let check = DifferenceCheck<Entity>(audit: self)
        try await check.confirm(suspects, &kind)
        if isRepair {
            let repair = StoreRepair(cycle: cycle, check: check)
            kind.differences = try await repair.mend(kind.differences, by: self)
        }
        report.kinds.append(kind)
    }

    /// Goes through a kind on both sides. Answers the ids of what seems to differ.
    private func walk<Entity: SyncEntity>(
        _ type: Entity.Type, _ kind: inout StoreAuditReport.Kind
    ) throws -> [String] {
        let judge = RecordJudge<Entity>(store: try cycle.stores.makeDataStore(), schema: cycle.schema)
        var pairs = RecordPairs<Entity>(cycle: cycle)
        var suspects: [String] = []
        var seen = 0
        var equal = RecordDigest()
        while let pair = try pairs.next() {
            seen += 1
            if seen.isMultiple(of: Self.leaseInterval) { try keepLease() }
            if pair.here != nil { kind.here += 1 }
            if pair.there != nil { kind.there += 1 }
            switch try judge.judge(pair) {
            case .equal(let record): try equal.add(record)
            case .absent: break
            case .waiting: kind.waiting += 1
            case .different(let difference, _): suspects.append(difference.entityId)
            }
        }
        kind.digestHere.add(equal)
        kind.digestThere.add(equal)
        return suspects
    }

    // MARK: Steps

    /// Lists a kind into the staging area, in place of what is there.
    func stage<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        try cycle.write { try $0.clearStaged(type) }
        try cycle.read { journal.forgetElements(of: Entity.entityType, in: $0) }
        var progress = BootstrapProgress(startCursor: 0)
        progress.begin(Entity.entityType)
        try await RecordLister<Entity>(cycle: cycle, journal: journal).stageAll(&progress)
    }

    /// Receives what is new, to the end of the feed.
    func pull() async throws {
        for _ in 0..<Self.pulls {
            cycle.hasMore = false
            try await PullPhase(cycle: cycle).run()
            if !cycle.hasMore { return }
        }
        throw CycleStop.protocolBroken("the server's change feed does not end")
    }

    /// Renews the lease where nothing is written for a while.
    func keepLease() throws {
        if Task.isCancelled { throw CycleStop.cancelled }
        try cycle.write { _ in }
    }

    private func clearStaged() throws {
        try cycle.write { store in
            for type in cycle.schema.types { try store.clearStaged(type) }
        }
    }
}
