public import TrendyDomain

extension SyncEngine {
    /// Keeps this device in step with its server until the task is cancelled.
    ///
    /// It syncs at once and then every interval; as soon as something is written through this engine, or a moment later
    /// where another process writes; when the server tells of changes, on servers that tell; and when such a server is
    /// no longer heard, or silent for longer than it promises. What a server tells is a hint: one that is missed, late,
    /// repeated or wrong costs time or a request, never data. The pauses that the server asks for, and those after lost
    /// connections, are kept.
    ///
    /// ```swift
    /// let following = Task { try await engine.follow() }
    /// ```
    ///
    /// - Parameters:
    ///   - interval: Seconds between syncs where nothing else asks for one.
    ///   - look: Called before the store is looked at; what it throws ends this.
    ///   - doubt: Called where a server that tells of changes does so no more, before the sync that finds out why; what it
    ///     throws ends this.
    ///   - sync: Syncs, and answers how that went, or nil where it could not begin; what it throws ends this.
    ///     ``performSync()`` where it is not given.
    /// - Throws: ``StoreError``, or what `look`, `doubt` and `sync` throw. It returns where the task is cancelled.
    public nonisolated func follow(
        every interval: Double = SyncEngine.followInterval, look: () async throws -> Void = {},
        doubting doubt: () async throws -> Void = {}, syncing sync: (() async throws -> SyncReport?)? = nil
    ) async throws {
        let wake = WakeUp()
        let listener = HeadListener(self, waking: wake)
        // From here on, because a task that listens may begin after the first write.
        let rings = bell.rings()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await listener.run() }
                group.addTask { for await _ in rings { wake.ring() } }
                defer { group.cancelAll() }
                try await self.follow(every: interval, listener, wake, look: look, doubting: doubt, syncing: sync)
            }
        } catch is CancellationError {}
    }

    /// Seconds between syncs where nothing else asks for one: a minute, by the protocol.
    public static let followInterval = 60.0

    private nonisolated func follow(
        every interval: Double, _ listener: HeadListener, _ wake: WakeUp, look: () async throws -> Void,
        doubting doubt: () async throws -> Void, syncing sync: (() async throws -> SyncReport?)?
    ) async throws {
        var schedule = FollowSchedule(interval: interval)
        /// A head that a sync has not led to.
        var inVain: ServerHead?
        while true {
            try Task.checkCancellation()
            try await look()
            let news = listener.take()
            if news.isReached { schedule.reached() }
            if news.isMissed || news.isSilent { schedule.hint() }
            // Whoever watches must not be told for a whole interval that all is in sync with a server that is gone.
            if news.isSilent { try await doubt() }
            if let head = news.head, head != inVain, try isNews(head) { schedule.hint() }
            let held = try nextAttempt(in: stores.makeDataStore(), isReached: schedule.isReached)
            guard try schedule.isDue(at: wallClock.now(), heldUntil: held, mark: queueMark()) else {
                try await wake.wait(atMost: configuration.followPollInterval, on: clock)
                continue
            }
            schedule.began()
            let report = if let sync { try await sync() } else { await performSync() }
            if report?.failure == .cancelled { try Task.checkCancellation() }
            if report?.failure == nil, let head = news.head { inVain = try isNews(head) ? head : nil }
            schedule.synced(
                at: wallClock.now(), heldUntil: report?.nextAttemptAt, hasMore: report?.hasMore ?? false,
                pending: report?.pending ?? .max, mark: try queueMark())
        }
    }

    /// Whether the server has something, by that head, that this device has not received.
    private nonisolated func isNews(_ head: ServerHead) throws -> Bool {
        let place = try stores.makeDataStore().exchangePlace()
        if place.cursor == nil || place.resync != nil { return true }
        return head.isNews(after: ServerHead(epoch: place.epoch, head: place.head))
    }

    private nonisolated func queueMark() throws -> FollowSchedule.QueueMark {
        let store = try stores.makeDataStore()
        func count(_ state: MutationState.Name) throws -> Int {
            try store.countMutations(MutationQuery(states: [state]))
        }
        return try FollowSchedule.QueueMark(queued: count(.queued), sending: count(.sending), merged: count(.merged))
    }
}
