import TrendyDomain

/// One sync: sends the outbox and receives what others have done, a request at a time, and saves once for each answer.
///
/// Another request follows if the server has more, if an operation must be sent again, or if the outbox holds more
/// than one request carries. If nothing in that request depends on the answer, it goes before the answer is saved, so
/// that the server works while the device saves.
final class ExchangeCycle {
    private let cycle: SyncCycle
    private let gateway: any SyncGateway
    private let isSending: Bool
    private var search = CulpritSearch()
    /// What was marked as sending to follow the shipment that is on its way, if that is simply accepted.
    private var ahead: Shipment?
    /// Whether an answer that was saved meanwhile has left work that the request on its way does not carry.
    private var isBehind = false
    /// How often each mutation was answered in this cycle without being accepted.
    private var attempts: [Int64: Int] = [:]

    private var requests = 0
    private var restarts = 0

    /// How often a mutation is sent in one cycle. Each time others may have changed its record once more.
    private static let attemptLimit = 5

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
    private var isSpent: Bool { requests >= cycle.configuration.requestsPerCycle }

    private func replica(_ store: any DataStoreProtocol) -> Replica {
        Replica(store: store, schema: cycle.schema, wallClock: cycle.wallClock, identifiers: cycle.identifiers)
    }

    private func outbox(_ store: any DataStoreProtocol) throws -> Outbox {
        Outbox(store: store, schema: cycle.schema, clock: try store.serverClock(), now: cycle.wallClock.now())
    }

    private func shelf(_ store: any DataStoreProtocol) -> QuarantineShelf {
        QuarantineShelf(store: store, configuration: cycle.configuration, now: cycle.wallClock.now())
    }

    // MARK: Before a request

    /// Tries the changes in the quarantine again: this version may know their kinds.
    private func retryQuarantined() throws {
        guard try cycle.read({ try $0.countDocuments(QuarantinedChange.self) }) > 0 else { return }
        try cycle.write { store in
            let known = try shelf(store).changes().filter { cycle.schema.type(for: $0.entityType) != nil }
            // A resync that is under way has shown the changes that it quarantined.
            var received = try ReceivedChanges(replica(store), shelf: shelf(store), store.exchangePlace())
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
        let error = gateway.readsDevice(for: proof) ? nil : try await refusal(of: proof, at: place)
        if let reason = error?.problem.resync {
            proven.restart(reason)
        } else {
            // A cursor that the server cannot use proves nothing. The epoch still tells another history.
            proven.endProof(isProven: error == nil && !gateway.readsDevice(for: proof))
        }
        let known = proven
        try cycle.write { store in
            // Somebody may have asked for another resync meanwhile.
            if try store.exchangePlace() == place { try store.setExchangePlace(known) }
        }
    }

    /// What the server says against a cursor; nil where it accepts the cursor.
    private func refusal(of cursor: String, at place: ExchangePlace) async throws -> Refusal? {
        requests += 1
        let request = SyncRequest(epoch: place.epoch, cursor: cursor, limit: 1)
        do {
            if case .failure(let refusal) = try await cycle.receive(request, by: gateway) { return refusal }
            return nil
        } catch CycleStop.notAServer(let reason) {
            return Refusal(.notAServer(reason), status: 502)
        }
    }

    /// Chooses what the next request carries, in a save of its own if there is something to save.
    private func pack() throws -> Shipment {
        let empty: Shipment? = try cycle.read { store in
            let place = try store.exchangePlace()
            let isEmpty = try place.cursor != nil && (!maySend(at: place) || store.countMutations(.unsent) == 0)
            return isEmpty ? shipment(at: place) : nil
        }
        return try empty ?? cycle.write { try pack(in: $0) }
    }

    /// A request that carries nothing yet.
    private func shipment(at place: ExchangePlace) -> Shipment {
        let most = cycle.configuration.changesPerPage
        let limit = gateway.dividesExchange(from: place.cursor) ? most : min(most, place.receiving.size)
        return Shipment(place: place, limit: search.isProbing ? 1 : limit)
    }

    /// Fills a shipment with what it may carry.
    private func fill(
        _ shipment: inout Shipment, passing spent: Set<Int64> = [], behind earlier: Shipment? = nil,
        in store: any DataStoreProtocol
    ) throws {
        let isDivided = gateway.dividesExchange(from: shipment.place.cursor)
        try outbox(store).fill(
            &shipment, count: cycle.configuration.mutationsPerRequest,
            bytes: isDivided ? Outbox.byteLimit : shipment.place.sending.size, passing: search.passed.union(spent),
            behind: earlier)
        if !shipment.items.isEmpty { shipment.limit = search.limit(shipment.limit) }
    }

    private func maySend(at place: ExchangePlace) -> Bool {
        isSending && place.resync == nil && !search.isGivenUp && !search.isProbing
    }

    /// Chooses what the next request carries, in the save of the answer before it, and marks it as sending.
    private func pack(in store: any DataStoreProtocol) throws -> Shipment {
        var place = try store.exchangePlace()
        if place.cursor == nil { try beginSnapshot(&place, in: store) }
        var shipment = shipment(at: place)
        guard maySend(at: place) else { return shipment }
        try fill(&shipment, passing: Set(attempts.filter { $0.value >= Self.attemptLimit }.keys), in: store)
        if !isSpent { try store.markSending(shipment.fresh) }
        ahead = try packAhead(of: shipment, in: store)
        return shipment
    }

    /// Chooses what can follow a shipment before its answer is saved, and marks it as sending.
    ///
    /// - Returns: Nil if there is nothing, or if what follows depends on the answer.
    private func packAhead(of shipment: Shipment, in store: any DataStoreProtocol) throws -> Shipment? {
        guard shipment.isCutOff, search.isIdle, attempts.isEmpty, requests + 1 < cycle.configuration.requestsPerCycle,
            !gateway.readsDevice(for: shipment.place.cursor)
        else { return nil }
        var following = self.shipment(at: shipment.place)
        try fill(&following, behind: shipment, in: store)
        if following.items.isEmpty { return nil }
        try store.markSending(following.fresh)
        return following
    }

    /// Gives up what was to follow. It was not sent.
    private func dropAhead(in store: any DataStoreProtocol) throws {
        if let ahead { try outbox(store).takeBack(ahead, ahead.keys) }
        ahead = nil
    }

    /// A device without records needs no marks: the snapshot can miss nothing that is here.
    private func beginSnapshot(_ place: inout ExchangePlace, in store: any DataStoreProtocol) throws {
        try store.clearMarks()
        // The snapshot shows what the server still has of it.
        try shelf(store).clear()
        place.isMarking = try cycle.schema.types.contains {
            try !store.unmarkedIds($0.entityType, after: nil, limit: 1).isEmpty
        }
        try store.setExchangePlace(place)
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
        cycle.onState(shipment.items.isEmpty ? .pulling : try sending())
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
        ahead = nil
        following.place = place.advanced(by: read, after: shipment)
        return following
    }

    private func sending() throws -> SyncState {
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
            // A server that asks for time gets it.
            guard mayBeTooMuch(shipment), !isOfNetwork, refusal.problem.retryAfter == nil else {
                if !refusal.untouched.isEmpty {
                    try cycle.write { try outbox($0).takeBack(shipment, refusal.untouched) }
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

    // MARK: One answer

    /// What an answer leaves to do.
    private struct Rest {
        /// Another request has to follow, even an empty one.
        var mustAsk = false
        /// The outbox may hold something that can be sent now.
        var mayHaveToSend = false
        /// Something was found that a request which is on its way cannot know.
        var isNews = false
    }

    /// Saves an answer, with what the next request carries.
    ///
    /// - Returns: What that is; nil if no other request has to follow.
    private func apply(_ read: ReadResponse, to shipment: Shipment) throws -> Shipment? {
        let isReceiving = shipment.items.isEmpty
        if !isReceiving { cycle.onState(.pulling) }
        var rest = Rest()
        var next = try save(read, to: shipment) { store, left in
            rest = left
            if isBehind { rest.mayHaveToSend = true }
            isBehind = false
            try dropAhead(in: store)
            return try isReceiving || !(rest.mustAsk || rest.mayHaveToSend) ? nil : pack(in: store)
        }
        // The save of what was only received does not wait for the disk. What is marked as sending has to.
        if isReceiving, rest.mustAsk || rest.mayHaveToSend { next = try pack() }
        return rest.mustAsk || next?.items.isEmpty == false ? next : nil
    }

    /// Saves an answer while the next request is on its way, and chooses what follows that one.
    ///
    /// - Parameter isSent: False if the next request may not be sent. Then nothing follows it.
    private func save(
        _ read: ReadResponse, to shipment: Shipment, before following: Shipment, isSent: Bool
    ) throws {
        ahead = try save(read, to: shipment) { store, rest in
            isBehind = isBehind || rest.isNews
            return isSent ? try packAhead(of: following, in: store) : nil
        }
        if isSent, !following.items.isEmpty { cycle.onState(try sending()) }
    }

    /// Saves results, changes and the new place at once, with what another piece of work adds.
    ///
    /// What was only received can be received again, so its save does not wait for the disk.
    private func save<Value>(
        _ read: ReadResponse, to shipment: Shipment, with work: (any DataStoreProtocol, Rest) throws -> Value
    ) throws -> Value {
        let response = read.response
        let isReceiving = shipment.items.isEmpty
        let result = try cycle.write(isRepeatable: isReceiving) { store in
            var place = shipment.place
            // If somebody asked for a resync meanwhile, the answer is applied and its cursor is not.
            let isRestarted = try store.exchangePlace() != place
            if response.more, response.cursor == place.cursor, response.changes.isEmpty, response.results.isEmpty {
                throw CycleStop.endless
            }
            let replica = replica(store)
            if let epoch = place.epoch {
                let countsOn = gateway.countsOn(from: epoch, in: response.epoch)
                if place.cursor == nil, epoch != response.epoch || countsOn && place.resync == .epoch {
                    (place.resync, place.shared) = (.epoch, countsOn ? 0 : nil)
                    try store.voidRevisions(keepingFormer: countsOn)
                } else if place.cursor != nil, epoch != response.epoch, !countsOn {
                    // The history goes on, and the gateway counts its revisions anew.
                    place.head = 0
                    try store.voidRevisions(keepingFormer: false)
                }
            }
            var results = ReceivedResults(replica, shelf: shelf(store), head: place.head)
            try results.apply(response.results, to: shipment)
            for id in results.unsettled { attempts[id, default: 0] += 1 }
            try outbox(store).takeBack(shipment, read.untouched)
            for id in results.early { search.pass(id) }
            let isClockNews = try noteClock(early: results.early, of: shipment, response.results, in: store)
            var changes = ReceivedChanges(replica, shelf: shelf(store), place)
            try changes.apply(read.changes)
            place.shared = changes.lost?.shared
            if search.answered(shipment, hasMore: response.more, &place), let culprit = search.culprit {
                try cycle.blame(culprit.mutation, culprit.refusal, in: store)
            }
            if !response.more { try blameUnanswered(in: shipment, response, in: store) }
            if !isRestarted {
                if !response.more, place.isMarking, let reason = place.resync {
                    try Resync(replica: replica, reason: reason).finish()
                }
                try store.setExchangePlace(place.advanced(by: read, after: shipment))
                if !response.more { try TakenBackDeletions(replica: replica).forget(before: cycle.startedAt) }
            }
            // A page tells of a freed name once, so it is looked at with the page, in the same save. The marks of a resync
            // hide records from that look until its end, which looks at all kinds.
            let kinds =
                place.isMarking
                ? Set(response.more ? [] : cycle.schema.types.map { $0.entityType })
                : shipment.kinds(touchedBy: response)
            let isNameFree = try FreedNames(replica: replica).reopen(kinds)
            cycle.pushed += results.accepted
            cycle.pulled += changes.news + results.news
            let wasResyncing = place.resync != nil
            if wasResyncing {
                cycle.bootstrapped = true
                cycle.placed += changes.news
            }
            var rest = Rest()
            let isWorkLeft = results.isWorkLeft || changes.isWorkLeft || isNameFree
            rest.isNews = isRestarted || isWorkLeft
            rest.mustAsk = isRestarted || response.more || search.isProbing
            // A resync sends nothing, so the outbox may hold something.
            rest.mayHaveToSend =
                isWorkLeft || shipment.isCutOff || search.isUnderWay || wasResyncing || isClockNews
            return try work(store, rest)
        }
        cycle.noteReceived(response.changes.count)
        return result
    }

    /// Notes what the answer has told of the server's clock.
    ///
    /// - Returns: Whether that is news, so that something may be sent that was held back until its time.
    private func noteClock(
        early: [Int64], of shipment: Shipment, _ results: [SyncResult], in store: any DataStoreProtocol
    ) throws -> Bool {
        let before = try store.serverClock()
        var clock = before
        clock.note(cycle.networkClient.clockReading)
        if before.refusesEarlyIds || !early.isEmpty {
            let taken = Set(results.filter { $0.outcome == .accepted }.map(\.key))
            let made = shipment.items.map(\.mutation).filter { $0.operation == .create }
            clock.note(
                refused: made.filter { early.contains($0.id) }.map(\.entityId),
                taken: made.filter { taken.contains($0.clientRequestId) }.map(\.entityId))
        }
        if let time = clock.refusedTime, try !isCreateWaiting(madeAt: time, in: store) { clock.forgetRefusedTime() }
        if clock != before { try store.setValue(clock, for: MetadataKey.serverClock) }
        return clock.refusesEarlyIds && clock.reading != before.reading
    }

    /// Whether a record waits whose id is of that time or later.
    private func isCreateWaiting(madeAt time: Timestamp, in store: any DataStoreProtocol) throws -> Bool {
        try store.fetchMutations(MutationQuery(states: [.queued, .sending], operations: [.create])).contains {
            UUIDv7($0.entityId).map { $0.timestamp >= time } ?? false
        }
    }

    // MARK: Blame

    /// Blames mutations without a result, if the server says that it has no more: it has failed on them.
    private func blameUnanswered(
        in shipment: Shipment, _ response: SyncResponse, in store: any DataStoreProtocol
    ) throws {
        if shipment.isAnswered(inOrderBy: response.results) { return }
        let answered = Set(response.results.map(\.key))
        let silence = APIError.malformedResponse("it gave no result for this change")
        for item in shipment.items where !answered.contains(item.mutation.clientRequestId) {
            search.pass(item.mutation.id)
            let error = response.failures[item.mutation.clientRequestId] ?? silence
            try cycle.blame(item.mutation, Refusal(error, status: 500), in: store)
        }
    }
}

extension SyncResult {
    /// Whether the server has just done what was asked, and made nothing else of it.
    fileprivate var isAcceptedAsSent: Bool { outcome == .accepted && record == nil && !replayed }
}
