import TrendyDomain

extension SyncEngine {
    /// Passes over everything that the feed holds up to now, without applying it.
    ///
    /// Records here may then lack what others did; ``forceFullResync()`` brings it back. It has the store to
    /// itself as a sync has, and waits for one that is running.
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
        let client = networkClient
        let latest = try await underBreaker { try await client.getLatestCursor() }
        guard FeedReader.plausible.contains(latest) else {
            throw APIError.malformedResponse("the newest cursor is \(latest)")
        }
        try skip(to: latest, lease)
    }

    private func skip(to latest: Int64, _ lease: SyncLease) throws {
        let store = try stores.makeDataStore()
        try store.begin()
        // Whoever has taken the lease over decides about the cursor.
        do { try lease.renew(in: store) } catch is CycleStop { throw StoreError.busy }
        guard latest > (try store.cursor() ?? -1) else { return }
        try PassedStretch.note(in: store)
        try store.setMetadata(MetadataKey.cursor, String(latest))
        try store.setValue(FeedWindow(passedUntil: latest, at: wallClock.now()), for: MetadataKey.feedWindow)
        // A listing that was cut off shows what has been deleted since; its pull ends the watch.
        if try store.metadata(MetadataKey.bootstrap) == nil { try EchoWatch(store: store).endAll() }
        try store.save()
    }

    /// Gives the lease back; one that cannot be given back runs out.
    func release(_ lease: SyncLease) {
        guard let store = try? stores.makeDataStore(), (try? lease.release(in: store)) != nil else { return }
        try? store.save()
    }
}
