public import TrendyDomain

extension SyncEngine {
    /// Sends what waits and receives what others have done.
    ///
    /// It never throws: the report says how far it came and what stopped it. A call while a sync is running waits for
    /// it and shares its result. What was queued before a call is sent before the call returns.
    @discardableResult
    public func performSync() async -> SyncReport {
        while isSyncing {
            switch await callers.wait() {
            case .report(let report): return report
            case .takeOver: continue
            case .cancelled: return report(after: .cancelled, nil)
            }
        }
        isSyncing = true
        var report = await runUnderLease()
        var rounds = 0
        while rounds < 2, needsAnotherRound(after: report) {
            rounds += 1
            let earlier = report
            report = await runUnderLease()
            report.pushed += earlier.pushed
            report.pulled += earlier.pulled
            report.placed += earlier.placed
            report.bootstrapped = report.bootstrapped || earlier.bootstrapped
        }
        isSyncing = false
        letCallersGo(with: report)
        return report
    }

    /// Gives the waiting callers the report. If work is left for callers who came after the last cycle had begun, one
    /// of them takes over, so that the first caller does not wait for ever.
    private func letCallersGo(with report: SyncReport) {
        if report.failure == .cancelled { return callers.resume(.takeOver) }
        let isWorkLeft = needsAnotherRound(after: report)
        callers.resume(.report(report), upTo: isWorkLeft ? lastCallerServed : nil)
        if isWorkLeft { callers.resume(.takeOver) }
    }

    /// Fetches everything anew, keeping unsent work.
    ///
    /// Records stay readable meanwhile. What the server does not have any more is removed at the end.
    @discardableResult
    public func forceFullResync() async -> SyncReport {
        do {
            let store = try stores.makeDataStore()
            try store.askForFullResync()
            try store.save()
        } catch {
            return report(after: stop(from: error), nil)
        }
        return await performSync()
    }

    /// Whether a caller came while the latest cycle was running, and the outbox holds something that the cycle may
    /// have missed.
    private func needsAnotherRound(after report: SyncReport) -> Bool {
        guard report.failure == nil, callers.haveCome(after: lastCallerServed),
            let store = try? stores.makeDataStore()
        else { return false }
        let queued = try? store.countMutations(MutationQuery(states: [.queued]))
        return (queued ?? 0) > 0 || (try? store.needsBootstrap()) == true
    }

    // MARK: Lease

    private func runUnderLease() async -> SyncReport {
        let startedAt = wallClock.now()
        let lease = makeLease()
        do {
            guard try await acquire(lease) else {
                return report(after: .store(.busy), nil)
            }
        } catch {
            return report(after: stop(from: error), nil)
        }
        let (stop, cycle) = await runCycle(lease)
        let (report, entry) = finish(report(after: stop, cycle), lease, startedAt: startedAt)
        await syncHistoryStore?.append(entry)
        return report
    }

    func makeLease() -> SyncLease {
        SyncLease(
            owner: owner, token: identifiers.makeId(), duration: configuration.leaseDuration, wallClock: wallClock)
    }

    /// Waits for a sync of another process to end. Answers whether it did in time.
    func acquire(_ lease: SyncLease) async throws -> Bool {
        defer { isWaitingForLease = false }
        var waited = Duration.zero
        while try !tryToAcquire(lease) {
            if waited >= configuration.leasePatience { return false }
            isWaitingForLease = true
            try await clock.sleep(for: configuration.leasePollInterval)
            waited += configuration.leasePollInterval
        }
        return true
    }

    /// Tries once to take the lease. The unit of work ends here, because it holds the store's write lock.
    private func tryToAcquire(_ lease: SyncLease) throws -> Bool {
        let store = try stores.makeDataStore()
        try store.beginRepeatable()
        // A lease that was not given back is of a process that has died or hangs.
        let former = try lease.holder(in: store)
        let isOurs = try lease.acquire(in: store)
        if isOurs, former != nil { try store.noteEarlyEnd() }
        try store.save()
        return isOurs
    }

    // MARK: Cycle

    private func runCycle(_ lease: SyncLease) async -> (CycleStop?, SyncCycle?) {
        var cycle: SyncCycle?
        do {
            lastCallerServed = callers.newest
            let started = try makeCycle(lease)
            cycle = started
            try await ExchangeCycle(started, makeGateway(under: lease)).run()
            return (nil, cycle)
        } catch {
            return (stop(from: error), cycle)
        }
    }

    func makeCycle(_ lease: SyncLease) throws -> SyncCycle {
        let breaker = try stores.makeDataStore().breaker(for: networkClient.serverName)
        let broadcaster = broadcaster
        return SyncCycle(
            networkClient: networkClient, stores: stores, schema: schema, configuration: configuration,
            wallClock: wallClock, clock: clock, identifiers: identifiers, random: random, lease: lease,
            breaker: breaker,
            progress: broadcaster)
    }

    /// Makes the gateway for one cycle.
    ///
    /// - Parameter lease: The lease that each request needs; nil for a question outside of a sync.
    func makeGateway(under lease: SyncLease? = nil) -> any SyncGateway {
        let (stores, server, wallClock, random) = (stores, networkClient.serverName, wallClock, random)
        let broadcaster = broadcaster
        return ServerGateway(
            client: networkClient, stores: stores, schema: schema, wallClock: wallClock, clock: clock,
            identifiers: identifiers, isRemembering: lease != nil,
            permit: {
                try lease?.keep(in: stores)
                // Another process may have been refused since the exchange began.
                let pause = try stores.makeDataStore().breaker(for: server).remaining(at: wallClock.now())
                if let pause { throw APIError.rateLimited(retryAfter: pause) }
                if lease != nil { broadcaster.noteRequest() }
            },
            refused: { seconds in
                let store = try stores.makeDataStore()
                try store.begin()
                let share = random.fraction()
                _ = try store.changeBreaker(for: server) {
                    $0.refused(retryAfter: seconds, at: wallClock.now(), spread: share)
                }
                try store.save()
            })
    }

    func stop(from error: any Error) -> CycleStop {
        switch error {
        case let stop as CycleStop: stop
        case let error as StoreError: .store(error)
        case is CancellationError: .cancelled
        default: .protocolBroken("\(error)")
        }
    }
}
