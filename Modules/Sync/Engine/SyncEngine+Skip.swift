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
            let isDone = try cycle.write { store in
                // If somebody asked for a resync meanwhile, the answer is of no use.
                guard try store.exchangePlace() == place else { return false }
                try store.setExchangePlace(place.skipping(answer, in: store))
                if case .success(let response) = answer { return !response.more }
                return false
            }
            if isDone { return }
        }
    }

    /// Gives the lease back. If that fails, the lease runs out.
    func release(_ lease: SyncLease) {
        guard let store = try? stores.makeDataStore(), (try? lease.release(in: store)) != nil else { return }
        try? store.save()
    }
}

extension ExchangePlace {
    /// The place behind the changes of an answer.
    fileprivate func skipping(
        _ answer: Result<SyncResponse, Refusal>, in store: any DataStoreProtocol
    ) throws -> ExchangePlace {
        var place = self
        switch answer {
        case .success(let response):
            // The revisions here are of another history.
            if let epoch, epoch != response.epoch { try store.voidRevisions() }
            (place.epoch, place.cursor) = (response.epoch, response.cursor)
            if !response.more {
                (place.head, place.resync, place.isMarking) = (response.head, nil, false)
            }
        case .failure(let refusal):
            guard let reason = refusal.problem.resync, cursor != nil else { throw refusal.asStop }
            place.restart(reason)
        }
        return place
    }
}
