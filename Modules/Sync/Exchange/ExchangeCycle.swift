import TrendyDomain

/// One sync: sends the outbox and receives what others have done, a request at a time, and saves once for each answer.
///
/// Another request follows if the server has more, if an operation must be sent again, or if the outbox holds more
/// than one request carries. If nothing in that request depends on the answer, it goes before the answer is saved, so
/// that the server works while the device saves.
final class ExchangeCycle {
    let cycle: SyncCycle
    let gateway: any SyncGateway
    let isSending: Bool
    var search = CulpritSearch()
    /// What was marked as sending to follow the shipment that is on its way, if that is simply accepted.
    var ahead: Shipment?
    /// Whether an answer that was saved meanwhile has left work that the request on its way does not carry.
    var isBehind = false
    /// How often each mutation was answered in this cycle without being accepted.
    var attempts: [Int64: Int] = [:]
    /// How each of these was answered last.
    var lastOutcomes: [Int64: SyncOutcome] = [:]

    var requests = 0
    private var restarts = 0
    /// What this cycle has learnt with the cursor that a resync has given up.
    var judged: (cursor: String, verdict: HistoryVerdict)?

    /// How often a mutation is sent in one cycle. Each time others may have changed its record once more.
    static let attemptLimit = 5

    /// - Parameter isSending: Whether to send the outbox too, or only to receive.
    init(_ cycle: SyncCycle, _ gateway: any SyncGateway, isSending: Bool = true) {
        self.cycle = cycle
        self.gateway = gateway
        self.isSending = isSending
    }

    /// - Throws: ``CycleStop`` or ``StoreError``.
    func run() async throws {
        do { try await exchangeUntilDone() } catch {
            // What was to follow has not left. Where another process has the lease, it decides about the marks.
            if ahead != nil { try? cycle.write { try dropAhead(in: $0) } }
            throw error
        }
    }

    private func exchangeUntilDone() async throws {
        try retryQuarantined()
        try retryBlocked()
        try await makeSure()
        try await goOn()
        if !cycle.failures.isEmpty {
            try cycle.write { store in
                try cycle.judgeSuspects(in: store)
                // The next cycle meets the same refusals.
                if search.isServerWell { try askFirst(in: store) }
            }
        }
        for (id, count) in attempts where count >= Self.attemptLimit && cycle.failures[id] == nil {
            // A child waits for its parent, and what keeps the parent is told of that.
            if lastOutcomes[id] == .blocked { continue }
            cycle.failures[id] =
                "it has answered \(count) times and has not taken the change; others may be changing the record"
        }
        // Somebody has to hear that it was given up.
        if let refusal = search.unfinished, try cycle.read({ try $0.countMutations(.unsent) }) > 0 {
            throw refusal.asStop
        }
    }

    /// Asks first whether the server answers at all, if the last cycle ended before that was known.
    ///
    /// The changes in the answer are not used. A mutation that was sent without an answer must go again before newer changes
    /// of its record are received: only then does the server tell whether the mutation had arrived.
    private func makeSure() async throws {
        let place = try cycle.read { try $0.exchangePlace() }
        guard place.asksFirst else { return }
        let first = try cycle.read { store in
            var first = shipment(at: place)
            if maySend(at: place) { try fill(&first, in: store) }
            return first
        }
        if first.items.isEmpty {
            // What only receives is its own question.
            search.beginsSmall = true
            return
        }
        let answer = try await ask(SyncRequest(epoch: place.epoch, cursor: place.cursor, limit: 1))
        // A refusal of the cursor is an answer too.
        if case .failure(let refusal) = answer, refusal.problem.resync == nil { throw refusal.asStop }
        search.isServerWell = true
    }

    /// Lets the next cycle ask first whether the server answers at all.
    private func askFirst(in store: any DataStoreProtocol) throws {
        var place = try store.exchangePlace()
        place.asksFirst = true
        try store.setExchangePlace(place)
    }

    /// Makes one request after the other, until nothing is left to do.
    private func goOn() async throws {
        var shipment = try await proven(pack())
        var answer = try await exchange(shipment)
        while true {
            if case .success(let read) = answer, let following = try following(shipment, read) {
                answer = try await exchange(following) { isSent in
                    try self.save(read, to: shipment, before: following, isSent: isSent)
                }
                shipment = following
                continue
            }
            guard let next = try settle(answer, of: shipment) else { return }
            if isSpent {
                cycle.hasMore = true
                return
            }
            shipment = try await proven(next)
            answer = try await exchange(shipment)
        }
    }

    /// Whether the next request is for the next cycle.
    var isSpent: Bool { requests >= cycle.configuration.requestsPerCycle }

    func replica(_ store: any DataStoreProtocol) -> Replica {
        Replica(store: store, schema: cycle.schema, wallClock: cycle.wallClock, identifiers: cycle.identifiers)
    }

    func outbox(_ store: any DataStoreProtocol) throws -> Outbox {
        Outbox(replica: replica(store), clock: try store.serverClock(), now: cycle.wallClock.now())
    }

    func shelf(_ store: any DataStoreProtocol) -> QuarantineShelf {
        QuarantineShelf(store: store, configuration: cycle.configuration, now: cycle.wallClock.now())
    }

    // MARK: Before a request

    /// Tries the changes in the quarantine again: this version may know their kinds.
    private func retryQuarantined() throws {
        guard try cycle.read({ try $0.countDocuments(QuarantinedChange.self) }) > 0 else { return }
        try cycle.write { store in
            let place = try store.exchangePlace()
            // A resync that is under way has shown the changes that it quarantined. Before its first page, nobody knows
            // whether the server still has what is in the quarantine.
            if place.cursor == nil { return }
            let known = try shelf(store).changes().filter { cycle.schema.type(for: $0.entityType) != nil }
            var received = ReceivedChanges(replica(store), shelf: shelf(store), place)
            try received.apply(ReadChanges(known, cycle.schema))
        }
    }

    /// Queues changes again that were refused for a deleted parent, if a person has decided since not to put the parent back.
    private func retryBlocked() throws {
        guard try cycle.read({ try $0.countMutations(MutationQuery(states: [.parked])) }) > 0 else { return }
        try cycle.write { _ = try ClearedReferences(replica: replica($0)).reopen() }
    }

    /// Asks for changes that nobody uses.
    func ask(_ request: SyncRequest) async throws -> Result<SyncResponse, Refusal> {
        requests += 1
        do { return try await cycle.receive(request, by: gateway) } catch CycleStop.notAServer(let error) {
            return .failure(Refusal(error, status: 502))
        }
    }

    // MARK: One request

    /// Sends a shipment. If the cycle ends here, what had certainly no effect is queued again.
    ///
    /// - Parameter work: Saves the answer before it, while the request is on its way; it is told whether it is.
    private func exchange(
        _ shipment: Shipment, meanwhile work: ((Bool) throws -> Void)? = nil
    ) async throws -> Result<ReadResponse, Refusal> {
        requests += 1
        let place = shipment.place
        let request = SyncRequest(
            epoch: place.cursor == nil ? nil : place.epoch, cursor: place.cursor,
            limit: shipment.limit, mutations: shipment.mutations)
        cycle.progress.send(shipment.items.isEmpty ? .pulling : try sending())
        let (gateway, schema, clock, unanswered) = (gateway, cycle.schema, cycle.clock, shipment.unanswered)
        do {
            return try await cycle.send(
                shipment.keys, mayBeTooMuch: mayBeTooMuch(shipment), provesHealth: \.provesHealth,
                meanwhile: work
            ) {
                let (answer, time) = try await clock.timing {
                    try await gateway.exchange(request, unanswered: unanswered, after: place.proof)
                }
                let isDivided = [request.cursor, answer.response.cursor].contains(where: gateway.dividesExchange(from:))
                return ReadResponse(answer, in: isDivided ? nil : time, schema)
            }
        } catch let failure as FailedRequest {
            let isCancelled = failure.reason as? CycleStop == .cancelled
            if !failure.untouched.isEmpty || ahead != nil || isCancelled {
                try? cycle.write { store in
                    try outbox(store).takeBack(shipment, failure.untouched)
                    try dropAhead(in: store)
                    if isCancelled { try store.noteEarlyEnd() }
                }
            }
            throw failure.reason
        }
    }

    /// Whether a refusal may be about how much the request carries, or about one of its mutations.
    private func mayBeTooMuch(_ shipment: Shipment) -> Bool {
        !shipment.isSmallest && !gateway.dividesExchange(from: shipment.place.cursor)
    }

    /// What can be sent before an answer is saved.
    ///
    /// After a page of changes it is the request for the next page. After a shipment of which every operation was
    /// accepted as it was sent, and with which nothing else came, it is what was marked to follow.
    private func following(_ shipment: Shipment, _ read: ReadResponse) throws -> Shipment? {
        let (place, response) = (shipment.place, read.response)
        // While another history is taken over, a page can raise `shared`, and the next page is compared with that.
        // The first page of a resync can show that the history is another one.
        guard !isSpent, !isBehind, search.isIdle, response.epoch == place.epoch ?? response.epoch,
            place.resync != .epoch, place.proof == nil, !gateway.readsDevice(for: response.cursor)
        else { return nil }
        if shipment.items.isEmpty {
            let next = place.advanced(by: read, after: shipment)
            guard response.more, response.cursor != place.cursor else { return nil }
            let sendsNothing = try !maySend(at: next) || cycle.read { try $0.countMutations(.unsent) == 0 }
            return sendsNothing ? self.shipment(at: next) : nil
        }
        guard var following = ahead, !response.more, response.changes.isEmpty,
            shipment.isAnswered(inOrderBy: response.results), response.results.allSatisfy(\.isAcceptedAsSent)
        else { return nil }
        // A person may have cleared the queue meanwhile.
        let marked = try cycle.read { try $0.countMutations(MutationQuery(states: [.sending])) }
        guard marked == shipment.items.count + following.items.count else { return nil }
        // Or a person has queued a parked change again, which goes first: what follows may belong to its record.
        let last = following.items.last?.mutation.id ?? 0
        let waiting = try cycle.read { try $0.fetchMutations(MutationQuery(states: [.queued], limit: 1)) }
        guard waiting.first.map({ $0.id > last }) ?? true else { return nil }
        ahead = nil
        following.place = place.advanced(by: read, after: shipment)
        return following
    }

    func sending() throws -> SyncState {
        let waiting = try cycle.read { try $0.countMutations(.unsent) }
        return .syncing(synced: cycle.pushed, total: cycle.pushed + waiting)
    }

    /// Saves what comes of a request.
    ///
    /// - Returns: What the next request carries; nil if none has to follow.
    private func settle(_ answer: Result<ReadResponse, Refusal>, of shipment: Shipment) throws -> Shipment? {
        switch answer {
        case .success(let read): try apply(read, to: shipment)
        case .failure(let refusal): try recover(from: refusal, shipment)
        }
    }

    /// Decides how to go on after a request that was refused as a whole.
    private func recover(from refusal: Refusal, _ shipment: Shipment) throws -> Shipment {
        let reason = refusal.problem.resync
        if reason != nil {
            restarts += 1
            guard restarts <= 3 else {
                try cycle.write { try outbox($0).takeBack(shipment, refusal.untouched) }
                throw CycleStop.protocolBroken("the server's history changes with every request")
            }
        } else {
            // A server that asks for time gets it, and where a few bytes break the connection it is mostly away. The next
            // cycle asks first whether the server answers at all: if it does, this is about what the requests carry.
            let isOfMoment =
                refusal.problem.retryAfter != nil || refusal.isBrokenConnection && shipment.isNegligible
            let isPutOff = mayBeTooMuch(shipment) && isOfMoment && !search.isServerWell
            guard mayBeTooMuch(shipment), !isPutOff else {
                if isPutOff || !refusal.untouched.isEmpty {
                    try cycle.write { store in
                        try outbox(store).takeBack(shipment, refusal.untouched)
                        if isPutOff { try askFirst(in: store) }
                    }
                }
                throw refusal.asStop
            }
            search.refused(shipment, refusal)
        }
        return try cycle.write { store in
            if let reason {
                var place = try store.exchangePlace()
                place.restart(reason)
                // What has expired was proven to be of this history, whatever that is called by now. A cursor of the older
                // routes proves no history.
                if reason == .expired, let cursor = place.proof, try gateway.former(to: cursor) == nil {
                    judged = (cursor, .same)
                }
                try store.setExchangePlace(place)
            }
            try outbox(store).takeBack(shipment, refusal.untouched)
            try dropAhead(in: store)
            return try pack(in: store, isSent: !isSpent)
        }
    }
}

extension SyncResult {
    /// Whether the server has just done what was asked, and made nothing else of it.
    fileprivate var isAcceptedAsSent: Bool { outcome == .accepted && record == nil && !replayed }
}
