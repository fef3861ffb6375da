import TrendyDomain

extension SyncEngine {
    /// Moves the cursor past everything that the server has now, without applying it.
    ///
    /// Records here may then lack what others did; ``forceFullResync()`` brings it back. It holds the sync lease, and
    /// waits for a sync that is running.
    ///
    /// - Throws: ``StoreError``, or ``APIError``: ``APIError/rateLimited(retryAfter:)`` while the breaker is open.
    public func skipToLatestCursor() async throws {
        while isSyncing {
            if case .cancelled = await callers.wait() { throw APIError.cancelled }
        }
        isSyncing = true
        defer {
            isSyncing = false
            callers.resume(.takeOver)
        }
        let lease = makeLease()
        guard try await acquire(lease) else { throw StoreError.busy }
        defer { release(lease) }
        do { try await skip(makeCycle(lease), makeGateway(under: lease)) } catch let stop as CycleStop {
            throw APIError.connection(stop.message)
        }
    }

    /// The place is saved only at the end: what a skip has passed in a snapshot that is cut off would be missing from
    /// the snapshot that goes on.
    private func skip(_ cycle: SyncCycle, _ gateway: any SyncGateway) async throws {
        var start = try cycle.read { try $0.exchangePlace() }
        var place = start
        // A history under another name is another one only where the cursor does not prove it.
        var isOther = start.cursor == nil
        var pages = PageReader(cycle, gateway, window: start.receiving)
        while true {
            switch try await pages.read(epoch: place.cursor == nil ? nil : place.epoch, cursor: place.cursor) {
            case .success(let response):
                if response.more, response.cursor == place.cursor { throw CycleStop.endless }
                (place.epoch, place.cursor) = (response.epoch, response.cursor)
                if response.more { continue }
                (place.head, place.resync, place.isMarking) = (response.head, nil, false)
                place.cursor = try place.cursor.map(gateway.skipped)
                place.receiving = pages.window
                let now = try cycle.write { store in
                    // If somebody asked for a resync meanwhile, the answers are of no use.
                    let now = try store.exchangePlace()
                    guard now == start else { return now }
                    if start.epoch != place.epoch { try cycle.forgetTimeRefusals(in: store) }
                    // The revisions here are of another history.
                    if isOther, let former = start.epoch, let epoch = place.epoch, former != epoch {
                        try store.voidRevisions(keepingFormer: gateway.countsOn(from: former, in: epoch))
                        let now = cycle.wallClock.now()
                        try QuarantineShelf(store: store, configuration: cycle.configuration, now: now).voidRevisions()
                    }
                    try store.setExchangePlace(place)
                    return place
                }
                if now == place { return }
                (start, place) = (now, now)
            case .failure(let refusal):
                guard let reason = refusal.problem.resync, place.cursor != nil else { throw refusal.asStop }
                isOther = reason == .epoch
                place.restart(reason)
            }
        }
    }

    /// Gives the lease back. If that fails, the lease runs out.
    func release(_ lease: SyncLease) {
        guard let store = try? stores.makeDataStore(), (try? lease.release(in: store)) != nil else { return }
        try? store.save()
    }
}
