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

    var requests = 0
    private var restarts = 0

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
        try await goOn()
        if !cycle.suspects.isEmpty { try cycle.write { try cycle.judgeSuspects(in: $0) } }
        // Somebody has to hear that it was given up.
        if let refusal = search.unfinished, try cycle.read({ try $0.countMutations(.unsent) }) > 0 {
            throw refusal.asStop
        }
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
        Outbox(store: store, schema: cycle.schema, clock: try store.serverClock(), now: cycle.wallClock.now())
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

    /// Proves the server's history first, if a shipment would begin a snapshot of a history that is not proven yet.
    ///
    /// - Returns: What to send: the shipment, or another one if the history was proven.
    private func proven(_ shipment: Shipment) async throws -> Shipment {
        if shipment.place.proof == nil { return shipment }
        try await prove()
        return try pack()
    }

    /// Asks with the cursor that a resync has given up whether the server's history is the one that the device knows. A
    /// snapshot begins without a cursor, so it would not tell.
    private func prove() async throws {
        let place = try cycle.read { try $0.exchangePlace() }
        guard let proof = place.proof else { return }
        var proven = place
        let former = try gateway.former(to: proof)
        if let former {
            // A cursor of the older routes proves no history. If the exchange is back, the cursor that the device had there
            // does. The revisions that the older routes were given here mean nothing to it.
            let error = try await refusal(of: former.cursor, at: former.epoch)
            if error?.problem.resync == .expired {
                proven.restart(.expired)
            } else {
                // A server that fails says nothing of its history.
                if let error, error.isServerFailure { throw error.asStop }
                proven.endProof(isProven: error == nil)
            }
        } else if gateway.readsDevice(for: proof) {
            proven.endProof(isProven: false)
        } else {
            let error = try await refusal(of: proof, at: place.epoch)
            if let reason = error?.problem.resync {
                proven.restart(reason)
            } else {
                // A cursor that the server cannot use proves nothing. The epoch still tells another history.
                proven.endProof(isProven: error == nil)
            }
        }
        let known = proven
        try cycle.write { store in
            // Somebody may have asked for another resync meanwhile.
            guard try store.exchangePlace() == place else { return }
            try store.setExchangePlace(known)
            if former != nil, known.epoch == nil { try store.voidRevisions(keepingFormer: false) }
        }
    }

    /// What the server says against a cursor; nil where it accepts the cursor.
    private func refusal(of cursor: String, at epoch: String?) async throws -> Refusal? {
        requests += 1
        let request = SyncRequest(epoch: epoch, cursor: cursor, limit: 1)
        do {
            if case .failure(let refusal) = try await cycle.receive(request, by: gateway) { return refusal }
            return nil
        } catch CycleStop.notAServer(let reason) {
            return Refusal(.notAServer(reason), status: 502)
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
                    try await gateway.exchange(request, unanswered: unanswered)
                }
                let isDivided = gateway.dividesExchange(from: answer.response.cursor)
                return ReadResponse(answer, in: isDivided ? nil : time, schema)
            }
        } catch let failure as FailedRequest {
            if !failure.untouched.isEmpty || ahead != nil {
                try? cycle.write { store in
                    try outbox(store).takeBack(shipment, failure.untouched)
                    try dropAhead(in: store)
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
        guard !isSpent, !isBehind, search.isIdle, response.epoch == place.epoch ?? response.epoch,
            place.resync != .epoch, !gateway.readsDevice(for: response.cursor)
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
                throw CycleStop.protocolBroken("the server's history changes with every request")
            }
        } else {
            let isOfNetwork = refusal.isBrokenConnection && shipment.isNegligible
            // A server that asks for time gets it. Its answer may hide that the request was too large, so the next request
            // is smaller.
            guard mayBeTooMuch(shipment), !isOfNetwork, refusal.problem.retryAfter == nil else {
                let isPostponed = mayBeTooMuch(shipment) && refusal.problem.retryAfter != nil
                if isPostponed || !refusal.untouched.isEmpty {
                    try cycle.write { store in
                        if isPostponed { try askForLess(than: shipment, in: store) }
                        try outbox(store).takeBack(shipment, refusal.untouched)
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
                try store.setExchangePlace(place)
            }
            try outbox(store).takeBack(shipment, refusal.untouched)
            try dropAhead(in: store)
            return try pack(in: store)
        }
    }
}

extension ExchangeCycle {
    /// Lets the next cycle begin with half of what a request carried and asked for. A request of a few kilobytes was not too
    /// large, so the size of requests stays as it is then.
    private func askForLess(than shipment: Shipment, in store: any DataStoreProtocol) throws {
        var place = try store.exchangePlace()
        if !shipment.items.isEmpty, !shipment.isNegligible { place.sending.refused(shipment.bytes) }
        place.receiving.refused(shipment.limit)
        try store.setExchangePlace(place)
    }
}

extension SyncResult {
    /// Whether the server has just done what was asked, and made nothing else of it.
    fileprivate var isAcceptedAsSent: Bool { outcome == .accepted && record == nil && !replayed }
}
