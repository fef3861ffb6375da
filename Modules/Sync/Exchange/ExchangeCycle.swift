import TrendyDomain

/// One sync: sends the outbox and receives what others have done, a request at a time, and saves once for each answer.
///
/// Another request follows where the server has more, where an operation is to be sent again, and where the outbox holds
/// more than one request carries.
final class ExchangeCycle {
    private let cycle: SyncCycle
    private let gateway: any SyncGateway
    private let isSending: Bool
    private var search = CulpritSearch()
    /// How often each mutation was sent in this cycle.
    private var attempts: [String: Int] = [:]

    private var requests = 0
    private var restarts = 0

    /// How often a mutation is sent in one cycle: each time others may have changed its record once more.
    private static let attemptLimit = 5

    /// - Parameter isSending: Whether the outbox goes too, or only what others have done is received.
    init(_ cycle: SyncCycle, _ gateway: any SyncGateway, isSending: Bool = true) {
        self.cycle = cycle
        self.gateway = gateway
        self.isSending = isSending
    }

    /// - Throws: ``CycleStop`` or ``StoreError``.
    func run() async throws {
        try begin()
        while true {
            let shipment = try pack()
            guard let response = try await send(shipment) else { continue }
            let isWorkLeft = try apply(response, to: shipment)
            if !response.more { try blameUnanswered(in: shipment, response) }
            if !response.more && !isWorkLeft && !shipment.isCutOff && !search.isUnderWay { return }
            requests += 1
            if requests >= cycle.configuration.feedPagesPerCycle {
                cycle.hasMore = true
                return
            }
        }
    }

    private func replica(_ store: any DataStoreProtocol) -> Replica {
        Replica(store: store, schema: cycle.schema, wallClock: cycle.wallClock, identifiers: cycle.identifiers)
    }

    private func shelf(_ store: any DataStoreProtocol) -> QuarantineShelf {
        QuarantineShelf(store: store, configuration: cycle.configuration, now: cycle.wallClock.now())
    }

    // MARK: Beginning

    /// Tries what was put aside once more: this version may know it.
    private func begin() throws {
        guard try cycle.read({ try $0.countDocuments(QuarantinedChange.self) }) > 0 else { return }
        try cycle.write { store in
            let known = try shelf(store).changes().filter { cycle.schema.type(for: $0.entityType) != nil }
            // What was put aside in a resync that is under way was shown by it.
            let isMarking = try store.exchangePlace().isMarking
            var received = ReceivedChanges(replica(store), shelf: shelf(store), isMarking: isMarking)
            try received.apply(known)
        }
    }

    /// Takes what the next request carries. During a resync nothing is sent: the cursor does not say what the device
    /// has seen.
    private func pack() throws -> Shipment {
        try cycle.write { store in
            var place = try store.exchangePlace()
            if place.cursor == nil { try beginSnapshot(&place, in: store) }
            guard isSending, place.resync == nil, !search.isGivenUp else { return Shipment() }
            let spent = Set(attempts.filter { $0.value >= Self.attemptLimit }.keys)
            let shipment = try Outbox(store: store, schema: cycle.schema)
                .take(search.limit(min(place.share, SyncRequest.mutationLimit)), passing: search.passed, spent)
            return shipment
        }
    }

    private func beginSnapshot(_ place: inout ExchangePlace, in store: any DataStoreProtocol) throws {
        try store.clearMarks()
        // It comes again, where the server still has it.
        try shelf(store).clear()
        place.isMarking = try cycle.schema.types.contains {
            try !store.unmarkedIds($0.entityType, after: nil, limit: 1).isEmpty
        }
        try store.setExchangePlace(place)
        cycle.bootstrapped = true
    }

    // MARK: One request

    /// - Returns: The answer; nil where the request is made again, as it is then.
    private func send(_ shipment: Shipment) async throws -> SyncResponse? {
        let place = try cycle.read { try $0.exchangePlace() }
        let request = SyncRequest(
            epoch: place.cursor == nil ? nil : place.epoch, cursor: place.cursor,
            limit: cycle.configuration.changesPerPage, mutations: shipment.mutations)
        cycle.onState(shipment.items.isEmpty ? .pulling : try sending(shipment))
        let gateway = gateway
        switch try await cycle.send(
            silence: shipment.items.isEmpty ? .endsCycle : .refusesIfTimedOut,
            { try await gateway.exchange(request, unanswered: shipment.unanswered) })
        {
        case .success(let response):
            if search.answered(shipment) { try blame() }
            if shipment.items.count == place.share { try remember { $0.share = min($0.share * 2, SyncRequest.mutationLimit) } }
            return response
        case .failure(let refusal):
            try recover(from: refusal, shipment)
            return nil
        }
    }

    private func sending(_ shipment: Shipment) throws -> SyncState {
        let waiting = try cycle.read { try $0.countMutations(.unsent) }
        return .syncing(synced: cycle.pushed, total: cycle.pushed + waiting)
    }

    /// Decides how to go on after a request that was refused as a whole.
    private func recover(from refusal: Refusal, _ shipment: Shipment) throws {
        switch refusal.problem.type {
        case "urn:trendy:error:epoch_changed": return try restart(.epoch)
        case "urn:trendy:error:cursor_expired": return try restart(.expired)
        default: break
        }
        if shipment.items.isEmpty || refusal.error.isSilent && shipment.items.count == 1 { throw refusal.asStop }
        if refusal.status == 413 || refusal.error.isSilent {
            try remember { $0.share = max(1, shipment.items.count / 2) }
        }
        search.refused(shipment, refusal)
    }

    private func restart(_ reason: ExchangePlace.Resync) throws {
        restarts += 1
        guard restarts <= 3 else { throw CycleStop.protocolBroken("the server's history changes with every request") }
        try remember { $0.restart(reason) }
    }

    private func remember(_ change: (inout ExchangePlace) -> Void) throws {
        try cycle.write { store in
            var place = try store.exchangePlace()
            change(&place)
            try store.setExchangePlace(place)
        }
    }

    /// Counts a cycle in which the server failed on one mutation alone, and parks what it refuses.
    private func blame() throws {
        if let culprit = search.culprit { try blame(culprit.id, culprit.refusal) }
    }

    /// Blames mutations that a server has left without a result, though it was well and had its turn with them.
    private func blameUnanswered(in shipment: Shipment, _ response: SyncResponse) throws {
        let answered = Set(response.results.map(\.key))
        let silence = APIError.malformedResponse("it gave no result for this change")
        for item in shipment.items where !answered.contains(item.mutation.clientRequestId) {
            search.pass(item.mutation.id)
            try blame(item.mutation.id, Refusal(status: 500, problem: ProblemDetails(), error: silence))
        }
    }

    private func blame(_ id: Int64, _ refusal: Refusal) throws {
        try cycle.write { store in
            guard var mutation = try store.findMutation(id: id), mutation.state == .sending else { return }
            mutation.attempts += 1
            mutation.lastError = refusal.message
            mutation.lastAttemptAt = cycle.wallClock.now()
            let limit = cycle.configuration.blameLimit
            if !refusal.isServerFailure {
                mutation.state = .parked(
                    ParkReason(code: .rejected, message: refusal.message, fields: refusal.problem.errors ?? []))
            } else if mutation.attempts >= limit {
                mutation.state = .parked(
                    ParkReason(
                        code: .blamed, message: "the server failed on it in \(limit) syncs: \(refusal.message)",
                        isUnanswered: true))
            } else {
                cycle.failures[id] = refusal.message
            }
            if mutation.state.name == .parked {
                mutation.settledAt = cycle.wallClock.now()
                if let type = cycle.schema.type(for: mutation.entityType) {
                    try store.setSyncStatus(type, id: mutation.entityId, .failed)
                }
            }
            try store.updateMutation(mutation)
        }
    }

    // MARK: One answer

    /// Applies an answer in one save. Answers whether there is more to send.
    private func apply(_ response: SyncResponse, to shipment: Shipment) throws -> Bool {
        cycle.onState(.pulling)
        let isWorkLeft = try cycle.write { store in
            var place = try store.exchangePlace()
            let replica = replica(store)
            if place.cursor == nil, let epoch = place.epoch, epoch != response.epoch {
                place.resync = .epoch
                try store.voidRevisions()
            }
            var results = ReceivedResults(replica, shelf: shelf(store), head: place.head)
            try results.apply(response.results, to: shipment)
            for key in response.results.map(\.key) { attempts[key, default: 0] += 1 }
            var changes = ReceivedChanges(replica, shelf: shelf(store), isMarking: place.isMarking)
            try changes.apply(response.changes)
            (place.epoch, place.cursor) = (response.epoch, response.cursor)
            let wasResyncing = place.resync != nil
            if response.more {
                if !wasResyncing { place.head = response.changes.map(\.revision).max().map { max($0, place.head) } ?? place.head }
            } else {
                if let reason = place.resync {
                    if place.isMarking { try Resync(replica: replica, reason: reason).finish() }
                    (place.resync, place.isMarking) = (nil, false)
                }
                place.head = response.head
            }
            try store.setExchangePlace(place)
            cycle.pushed += results.accepted
            cycle.pulled += changes.news
            if wasResyncing { cycle.placed += changes.news }
            // During a resync nothing was sent.
            return try results.isWorkLeft || wasResyncing && isSending && store.countMutations(.unsent) > 0
        }
        cycle.noteReceived(response.changes.count)
        return isWorkLeft
    }
}

extension APIError {
    /// Whether no answer came in time; a smaller request might have had one.
    fileprivate var isSilent: Bool { self == .timeout }
}
