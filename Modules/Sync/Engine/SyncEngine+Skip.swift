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

    private func skip(_ cycle: SyncCycle, _ gateway: any SyncGateway) async throws {
        while true {
            let place = try cycle.read { try $0.exchangePlace() }
            let request = SyncRequest(
                epoch: place.cursor == nil ? nil : place.epoch, cursor: place.cursor, limit: SyncRequest.changeLimit)
            let answer = try await cycle.send { try await gateway.exchange(request, unanswered: []) }
            let response = try answer.get()
            try cycle.write { store in
                var place = try store.exchangePlace()
                (place.epoch, place.cursor) = (response.epoch, response.cursor)
                if !response.more { (place.head, place.resync, place.isMarking) = (response.head, nil, false) }
                try store.setExchangePlace(place)
            }
            if !response.more { return }
        }
    }

    /// Gives the lease back. If that fails, the lease runs out.
    func release(_ lease: SyncLease) {
        guard let store = try? stores.makeDataStore(), (try? lease.release(in: store)) != nil else { return }
        try? store.save()
    }
}
