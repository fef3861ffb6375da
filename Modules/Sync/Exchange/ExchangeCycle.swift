import TrendyDomain

/// One sync: sends the outbox and receives what others have done, a request at a time, and saves once for each answer.
///
/// Another request follows if the server has more, if an operation must be sent again, or if the outbox holds more
/// than one request carries.
final class ExchangeCycle {
    private let cycle: SyncCycle
    private let gateway: any SyncGateway
    private let isSending: Bool
    private var search = CulpritSearch()
    /// How often each mutation was answered in this cycle without being accepted.
    private var attempts: [String: Int] = [:]

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
        try retryQuarantined()
        var next: Shipment? = try pack()
        while let shipment = next {
            requests += 1
            next = try await exchange(shipment)
            if next != nil, isSpent {
                cycle.hasMore = true
                return
            }
        }
    }

    /// Whether the next request is for the next cycle.
    private var isSpent: Bool { requests >= cycle.configuration.requestsPerCycle }

    private func replica(_ store: any DataStoreProtocol) -> Replica {
        Replica(store: store, schema: cycle.schema, wallClock: cycle.wallClock, identifiers: cycle.identifiers)
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
            try received.apply(known)
        }
    }

    /// Chooses what the next request carries, in a save of its own if there is something to save.
    private func pack() throws -> Shipment {
        let empty: Shipment? = try cycle.read { store in
            let place = try store.exchangePlace()
            let isEmpty = try place.cursor != nil && (!maySend(at: place) || store.countMutations(.unsent) == 0)
            return isEmpty ? Shipment(place: place) : nil
        }
        return try empty ?? cycle.write { try pack(in: $0) }
    }

    private func maySend(at place: ExchangePlace) -> Bool {
        isSending && place.resync == nil && !search.isGivenUp
    }

    /// Chooses what the next request carries, in the save of the answer before it, and marks it as sending.
    private func pack(in store: any DataStoreProtocol) throws -> Shipment {
        var place = try store.exchangePlace()
        if place.cursor == nil { try beginSnapshot(&place, in: store) }
        var shipment = Shipment(place: place)
        guard maySend(at: place) else { return shipment }
        let spent = Set(attempts.filter { $0.value >= Self.attemptLimit }.keys)
        try Outbox(store: store, schema: cycle.schema)
            .fill(&shipment, search.limit(place.share), passing: search.passed, spent)
        let fresh = shipment.items.filter { !$0.wasUnanswered }.map(\.mutation.id)
        if !fresh.isEmpty, !isSpent { try store.markSending(fresh) }
        return shipment
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

    /// Sends a shipment and saves what comes of it.
    ///
    /// - Returns: What the next request carries; nil where none has to follow.
    private func exchange(_ shipment: Shipment) async throws -> Shipment? {
        let place = shipment.place
        let request = SyncRequest(
            epoch: place.cursor == nil ? nil : place.epoch, cursor: place.cursor,
            limit: cycle.configuration.changesPerPage, mutations: shipment.mutations)
        cycle.onState(shipment.items.isEmpty ? .pulling : try sending())
        let gateway = gateway
        let answer = try await cycle.send(mayBeTooMuch: !shipment.items.isEmpty) {
            try await gateway.exchange(request, unanswered: shipment.unanswered)
        }
        switch answer {
        case .success(let response): return try apply(response, to: shipment)
        case .failure(let refusal): return try recover(from: refusal, shipment)
        }
    }

    private func sending() throws -> SyncState {
        let waiting = try cycle.read { try $0.countMutations(.unsent) }
        return .syncing(synced: cycle.pushed, total: cycle.pushed + waiting)
    }

    /// Decides how to go on after a request that was refused as a whole.
    private func recover(from refusal: Refusal, _ shipment: Shipment) throws -> Shipment {
        let reason = refusal.problem.resync
        if reason != nil {
            restarts += 1
            guard restarts <= 3 else {
                throw CycleStop.protocolBroken("the server's history changes with every request")
            }
        } else if shipment.items.isEmpty {
            throw refusal.asStop
        } else {
            search.refused(shipment, refusal)
        }
        return try cycle.write { store in
            var place = try store.exchangePlace()
            if let reason {
                place.restart(reason)
            } else if refusal.status == 413 || refusal.isSilent {
                place.share = max(1, shipment.items.count / 2)
            }
            try store.setExchangePlace(place)
            return try pack(in: store)
        }
    }

    // MARK: One answer

    /// Saves results, changes and the new place at once, with what the next request carries.
    ///
    /// What was only received can be received again, so its save does not wait for the disk. What is sent next is
    /// saved after it then.
    private func apply(_ response: SyncResponse, to shipment: Shipment) throws -> Shipment? {
        let isReceiving = shipment.items.isEmpty
        if !isReceiving { cycle.onState(.pulling) }
        var mustAsk = false
        var mayHaveToSend = false
        var next = try cycle.write(isRepeatable: isReceiving) { store in
            var place = shipment.place
            // If somebody asked for a resync meanwhile, the answer is applied and its cursor is not.
            let isRestarted = try store.exchangePlace() != place
            if response.more, response.cursor == place.cursor, response.changes.isEmpty, response.results.isEmpty {
                throw CycleStop.protocolBroken("the server says that it has more, and does not give it")
            }
            let replica = replica(store)
            if place.cursor == nil, let epoch = place.epoch, epoch != response.epoch {
                place.resync = .epoch
                try store.voidRevisions()
            }
            var results = ReceivedResults(replica, shelf: shelf(store), head: place.head)
            try results.apply(response.results, to: shipment)
            for key in results.unsettled { attempts[key, default: 0] += 1 }
            var changes = ReceivedChanges(replica, shelf: shelf(store), place)
            try changes.apply(response.changes)
            if search.answered(shipment), let culprit = search.culprit {
                try blame(culprit.id, culprit.refusal, in: store)
            }
            if !response.more { try blameUnanswered(in: shipment, response, in: store) }
            let wasResyncing = place.resync != nil
            if !isRestarted {
                try advance(&place, response, shipment, replica)
                try store.setExchangePlace(place)
            }
            cycle.pushed += results.accepted
            cycle.pulled += changes.news + results.news
            if wasResyncing {
                cycle.bootstrapped = true
                cycle.placed += changes.news
            }
            mustAsk = isRestarted || response.more || search.isProbing
            // A resync sends nothing, so the outbox may hold something.
            mayHaveToSend =
                results.isWorkLeft || changes.isWorkLeft || shipment.isCutOff || search.isUnderWay || wasResyncing
            return try isReceiving || !(mustAsk || mayHaveToSend) ? nil : pack(in: store)
        }
        cycle.noteReceived(response.changes.count)
        if isReceiving, mustAsk || mayHaveToSend { next = try pack() }
        return mustAsk || next?.items.isEmpty == false ? next : nil
    }

    /// Moves the place to the answer's cursor, and ends a resync with its last page.
    private func advance(
        _ place: inout ExchangePlace, _ response: SyncResponse, _ shipment: Shipment, _ replica: Replica
    ) throws {
        (place.epoch, place.cursor) = (response.epoch, response.cursor)
        if shipment.items.count == place.share { place.share = min(place.share * 2, SyncRequest.mutationLimit) }
        if response.more {
            // The pages of a snapshot are not in the order of revisions.
            let newest = place.resync == nil ? response.changes.map(\.revision).max() : nil
            place.head = max(place.head, newest ?? 0)
            return
        }
        if let reason = place.resync, place.isMarking { try Resync(replica: replica, reason: reason).finish() }
        (place.resync, place.isMarking, place.head) = (nil, false, response.head)
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
            try blame(item.mutation.id, Refusal(silence, status: 500), in: store)
        }
    }

    private func blame(_ id: Int64, _ refusal: Refusal, in store: any DataStoreProtocol) throws {
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
