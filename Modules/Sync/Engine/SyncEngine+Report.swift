import TrendyDomain

extension SyncEngine {
    /// What a cycle came to, with the store's present counts.
    func report(after stop: CycleStop?, _ cycle: SyncCycle?) -> SyncReport {
        var report = SyncReport()
        report.pushed = cycle?.pushed ?? 0
        report.pulled = cycle?.pulled ?? 0
        report.placed = cycle?.placed ?? 0
        report.bootstrapped = cycle?.bootstrapped ?? false
        report.hasMore = cycle?.hasMore ?? false
        report.failure = stop?.failure
        report.error = stop?.message
        do {
            try addCounts(to: &report)
            report.retryAfter = report.retryAfter ?? cycle?.askedToWait
            try addFailures(of: cycle, to: &report)
        } catch {
            report.failure = report.failure ?? .store
            report.error = report.error ?? "\(error)"
        }
        report.state = state(after: stop, report)
        return report
    }

    private func addCounts(to report: inout SyncReport) throws {
        let store = try stores.makeDataStore()
        report.pending = try store.countMutations(.unsent)
        report.parked = try store.countMutations(MutationQuery(states: [.parked]))
        if report.parked > 0 {
            let lost = try store.fetchMutations(MutationQuery(states: [.parked]))
                .filter { $0.parkReason?.code == .lostByServer }
            report.lost = lost.count
            report.lostDeletions = lost.count { $0.operation == .delete }
            report.lostMoves = lost.count { $0.operation == .update }
        }
        report.conflicts = try store.countDocuments(SyncConflict.self)
        if report.conflicts > 0 {
            report.lostValues = try store.fetchDocuments(SyncConflict.self).count { $0.isLostByServer == true }
        }
        report.quarantined = try store.countDocuments(QuarantinedChange.self)
        report.cursor = try store.exchangePlace().head
        let (clock, now) = (try store.serverClock(), wallClock.now())
        report.clockReading = clock.reading
        if clock.refusesEarlyIds {
            report.early = try store.fetchMutations(MutationQuery(states: [.queued], operations: [.create]))
                .count { clock.holdsBack($0, at: now) }
        }
        let breaker = try store.breaker(for: networkClient.serverName)
        report.retryAfter = breaker.remaining(at: wallClock.now())
        report.nextAttemptAt = try nextAttempt(in: store)
    }

    /// Adds what the server failed on, if that did not end the cycle.
    private func addFailures(of cycle: SyncCycle?, to report: inout SyncReport) throws {
        guard let failures = cycle?.failures, !failures.isEmpty else { return }
        let store = try stores.makeDataStore()
        let waiting = try failures.sorted { $0.key < $1.key }
            .filter { try store.findMutation(id: $0.key)?.state.isUnsent == true }
        report.failing = waiting.count
        guard report.error == nil, let first = waiting.first else { return }
        let changes = waiting.count == 1 ? "1 change" : "\(waiting.count) changes"
        report.error = "the server failed on \(changes): \(first.value)"
    }

    private func state(after stop: CycleStop?, _ report: SyncReport) -> SyncState {
        switch stop {
        case nil: report.error.map { .error($0) } ?? .idle
        case .rateLimited?: .rateLimited(retryAfter: report.retryAfter ?? 0, pending: report.pending)
        case .cancelled?: .idle
        case let stop?: .error(stop.message)
        }
    }

    /// Gives the lease back and remembers how the sync ended. Answers the report with what follows from that.
    func finish(
        _ report: SyncReport, _ lease: SyncLease, startedAt: Timestamp
    ) -> (SyncReport, SyncHistoryEntry) {
        var report = report
        let now = wallClock.now()
        var entry = SyncHistoryEntry(
            id: identifiers.makeId(), startedAt: startedAt, finishedAt: now, pushed: report.pushed,
            pulled: report.pulled, bootstrapped: report.bootstrapped, failure: report.failure, error: report.error)
        // The sync did its work, even if the store cannot remember it.
        do { report.nextAttemptAt = try remember(report, as: &entry, lease, at: now) } catch { release(lease) }
        noteFinished(pending: report.pending, lastSync: report.failure == nil ? now : nil)
        broadcaster.send(report.state)
        bell.ring()
        return (report, entry)
    }

    /// - Returns: The moment of the next automatic try.
    private func remember(
        _ report: SyncReport, as entry: inout SyncHistoryEntry, _ lease: SyncLease, at now: Timestamp
    ) throws -> Timestamp? {
        let store = try stores.makeDataStore()
        try lease.release(in: store)
        entry = try store.append(entry)
        try trimHistory(in: store)
        if report.failure == nil { try store.setValue(now, for: MetadataKey.lastSync) }
        try noteConnection(report, in: store)
        let expired = MutationQuery(
            states: [.accepted, .merged, .dropped],
            settledBefore: now.advanced(byMilliseconds: -configuration.ledgerRetention), limit: 1000)
        for mutation in try store.fetchMutations(expired) where try !isNeeded(mutation, in: store) {
            try store.deleteMutation(id: mutation.id)
        }
        let next = try nextAttempt(in: store)
        try store.save()
        return next
    }

    /// Whether a change may have arrived before it was merged into one that is still open. The answer to that has to know
    /// what both say.
    private func isNeeded(_ mutation: PendingMutation, in store: any DataStoreProtocol) throws -> Bool {
        if mutation.lastError == nil { return false }
        var last = mutation
        while case .merged(let into?) = last.state {
            guard let next = try store.findMutation(id: into) else { return false }
            last = next
        }
        return [.queued, .sending, .parked].contains(last.state.name)
    }

    /// Removes old entries of the history, many at a time, because that reads all of them.
    private func trimHistory(in store: any DataStoreProtocol) throws {
        let limit = configuration.historyLimit
        if try store.countDocuments(SyncHistoryEntry.self) <= limit + limit / 4 { return }
        for old in try store.fetchDocuments(SyncHistoryEntry.self).dropLast(limit) {
            try store.deleteDocument(SyncHistoryEntry.self, id: old.id)
        }
    }
}
