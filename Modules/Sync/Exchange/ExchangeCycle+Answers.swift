import TrendyDomain

/// What an answer changes here.
extension ExchangeCycle {
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
    func apply(_ read: ReadResponse, to shipment: Shipment) throws -> Shipment? {
        let isReceiving = shipment.items.isEmpty
        if !isReceiving { cycle.progress.send(.pulling) }
        var rest = Rest()
        var next: Shipment?
        let unsent = ahead
        do {
            next = try save(read, to: shipment) { store, left in
                rest = left
                if isBehind { rest.mayHaveToSend = true }
                isBehind = false
                return try isReceiving || !(rest.mustAsk || rest.mayHaveToSend)
                    ? nil : pack(in: store, isSent: !isSpent)
            }
        } catch {
            // The save has failed, so the store still has the marks of the request that was to follow.
            ahead = unsent
            throw error
        }
        // The save of what was only received does not wait for the disk. What is marked as sending has to.
        if isReceiving, rest.mustAsk || rest.mayHaveToSend { next = try pack(isSent: !isSpent) }
        return rest.mustAsk || next?.items.isEmpty == false ? next : nil
    }

    /// Saves an answer while the next request is on its way, and chooses what follows that one.
    ///
    /// - Parameter isSent: False if the next request may not be sent. Then nothing follows it.
    func save(
        _ read: ReadResponse, to shipment: Shipment, before following: Shipment, isSent: Bool
    ) throws {
        ahead = try save(read, to: shipment) { store, rest in
            isBehind = isBehind || rest.isNews
            return isSent ? try packAhead(of: following, in: store) : nil
        }
        if isSent, !following.items.isEmpty { cycle.progress.send(try sending()) }
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
            // The request that was to follow was not sent, so none of its operations can have arrived.
            try dropAhead(in: store)
            var place = shipment.place
            // If somebody asked for a resync meanwhile, the answer is applied and its cursor is not.
            let isRestarted = try store.exchangePlace() != place
            if response.more, response.cursor == place.cursor, response.changes.isEmpty, response.results.isEmpty {
                throw CycleStop.endless
            }
            let replica = replica(store)
            // The snapshot shows all that the server has, and puts aside anew what cannot be used.
            if place.cursor == nil, !isRestarted { try shelf(store).clear() }
            try noteHistory(response.epoch, at: &place, in: store)
            var results = ReceivedResults(replica, shelf: shelf(store), head: place.head)
            try results.apply(response.results, to: shipment)
            for (id, outcome) in results.unsettled {
                attempts[id, default: 0] += 1
                lastOutcomes[id] = outcome
            }
            try outbox(store).takeBack(shipment, read.untouched)
            for id in results.early { search.pass(id) }
            let silent = silent(in: shipment, read)
            let isClockNews = try cycle.noteClock(early: results.early, of: shipment, response.results, in: store)
            var changes = ReceivedChanges(replica, shelf: shelf(store), place)
            try changes.apply(read.changes)
            try results.moveValues()
            place.shared = changes.lost?.shared
            var isWayGiven = try blame(silent, response, in: store)
            if search.answered(shipment, hasMore: response.more, &place), let culprit = search.culprit,
                try cycle.blame(culprit.mutation, culprit.refusal, in: store)
            {
                isWayGiven = true
            }
            if !response.more { passUnsent(of: shipment, read) }
            // The changes leave out what the request has done. Where the answer does not tell what that is, the next one has
            // to, so its cursor is of no use. The older routes tell it in any case.
            let isWhole = silent.isEmpty || gateway.dividesExchange(from: response.cursor)
            if !isRestarted, isWhole {
                if !response.more, place.isMarking, let reason = place.resync {
                    try Resync(replica: replica, reason: reason, shared: place.shared, epoch: response.epoch).finish()
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
            let isReferenceCleared =
                try response.isOfMissingParents && ClearedReferences(replica: replica).reopen()
            cycle.pushed += results.accepted
            cycle.pulled += changes.news + results.news
            let wasResyncing = place.resync != nil
            if wasResyncing {
                cycle.bootstrapped = true
                cycle.placed += changes.news
            }
            var rest = Rest()
            let isWorkLeft =
                results.isWorkLeft || changes.isWorkLeft || isNameFree || isReferenceCleared || isWayGiven
            rest.isNews = isRestarted || isWorkLeft
            rest.mustAsk = isRestarted || response.more || search.isProbing || !isWhole
            // A resync sends nothing, so the outbox may hold something.
            rest.mayHaveToSend =
                isWorkLeft || shipment.isCutOff || search.isUnderWay || wasResyncing || isClockNews
            return try work(store, rest)
        }
        cycle.noteReceived(response.changes.count)
        return result
    }

    /// Leaves what the gateway has left unsent, though it has no more to do, for the next cycle.
    private func passUnsent(of shipment: Shipment, _ read: ReadResponse) {
        if read.untouched.isEmpty { return }
        let unsent = read.untouched.subtracting(read.response.results.map(\.key))
        for item in shipment.items where unsent.contains(item.mutation.clientRequestId) {
            search.pass(item.mutation.id)
        }
    }

    /// The mutations of which an answer tells nothing, and which were sent.
    private func silent(in shipment: Shipment, _ read: ReadResponse) -> [PendingMutation] {
        if shipment.isAnswered(inOrderBy: read.response.results) { return [] }
        let unsent = read.untouched.subtracting(read.response.failures.keys)
        let told = Set(read.response.results.map(\.key)).union(unsent)
        return shipment.items.map(\.mutation).filter { !told.contains($0.clientRequestId) }
    }

    /// Blames the mutations on which the server has failed: those of which the gateway says so, and those without a result if
    /// no result is to come.
    ///
    /// - Returns: Whether operations behind them can be sent now.
    private func blame(
        _ silent: [PendingMutation], _ response: SyncResponse, in store: any DataStoreProtocol
    ) throws -> Bool {
        let mayFollow = response.more && gateway.dividesExchange(from: response.cursor)
        var isWayGiven = false
        for mutation in silent {
            let failure = response.failures[mutation.clientRequestId]
            guard failure != nil || !mayFollow else { continue }
            let error = failure ?? .malformedResponse("it gave no result for this change")
            search.pass(mutation.id)
            if try cycle.blame(mutation, Refusal(error, status: 500), in: store) { isWayGiven = true }
        }
        return isWayGiven
    }
}

extension SyncResponse {
    /// Whether it refuses a change for a parent that is not there, or tells of deletions.
    fileprivate var isOfMissingParents: Bool {
        results.contains { $0.outcome == .blocked } || changes.contains { $0.deleted }
    }
}
