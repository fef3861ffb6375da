import TrendyDomain

extension SyncEngine {
    /// Compares what is here with what the server has, record by record, and mends what differs if that is asked for.
    ///
    /// It holds the sync lease, and waits for a sync that is running. First it receives what is new; it sends
    /// nothing. Records with unsent changes are compared by their bases, so these changes are neither differences nor
    /// lost. It works with any server, because it reads a snapshot.
    ///
    /// It never throws. The report says how far it came and what stopped it.
    ///
    /// - Parameter repairing: Whether to mend. What the server has comes in as a sync would bring it. A record that the
    ///   server has accepted and does not have was deleted there: it is parked as such. One that it never had is
    ///   queued as a create. Values that give way are listed as conflicts, so that they can be restored. A second
    ///   comparison finds nothing.
    public func audit(repairing: Bool = false) async -> StoreAuditReport {
        var result = StoreAuditReport(isRepair: repairing)
        while isSyncing {
            if case .cancelled = await callers.wait() {
                result.sync = report(after: .cancelled, nil)
                return result
            }
        }
        isSyncing = true
        defer {
            isSyncing = false
            callers.resume(.takeOver)
        }
        let lease = makeLease()
        do {
            guard try await acquire(lease) else { throw CycleStop.store(.busy) }
        } catch {
            result.sync = report(after: stop(from: error), nil)
            return result
        }
        let sync = await audit(lease, &result)
        result.sync = sync
        release(lease)
        noteFinished(pending: result.sync.pending, lastSync: nil)
        broadcaster.send(result.sync.state)
        bell.ring()
        return result
    }

    private func audit(_ lease: SyncLease, _ result: inout StoreAuditReport) async -> SyncReport {
        var cycle: SyncCycle?
        do {
            let started = try makeCycle(lease)
            cycle = started
            if try needsBootstrap() {
                result.needsSync = true
                return report(after: nil, cycle)
            }
            try await StoreAudit(started, makeGateway(under: lease), isRepair: result.isRepair).run(&result)
            let (found, remaining) = (result.differences.count, result.remaining.count)
            try remember(LastComparison(at: wallClock.now(), remaining: remaining, found: found))
            return report(after: nil, cycle)
        } catch {
            return report(after: stop(from: error), cycle)
        }
    }

    /// The last time that all records were compared with the server's; nil where they never were.
    ///
    /// - Throws: ``StoreError``.
    public func lastComparison() throws -> LastComparison? {
        try stores.makeDataStore().value(LastComparison.self, for: MetadataKey.lastComparison)
    }

    private func remember(_ comparison: LastComparison) throws {
        let store = try stores.makeDataStore()
        try store.begin()
        try store.setValue(comparison, for: MetadataKey.lastComparison)
        try store.save()
    }

    /// Who holds the right to sync the store, as it was last written down; nil where it is free.
    ///
    /// - Throws: ``StoreError``.
    public func leaseHolder() throws -> LeaseHolder? {
        try makeLease().holder(in: stores.makeDataStore())
    }

    /// Whether the next sync takes everything anew: none has ended yet, a resync was cut off, or a full resync was
    /// asked for.
    ///
    /// - Throws: ``StoreError``.
    public func needsBootstrap() throws -> Bool {
        try stores.makeDataStore().needsBootstrap()
    }
}
