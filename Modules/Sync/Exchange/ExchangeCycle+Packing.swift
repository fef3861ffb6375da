import TrendyDomain

/// What the next request carries.
extension ExchangeCycle {
    /// Chooses what the next request carries, in a save of its own if there is something to save.
    ///
    /// - Parameter isSent: As in ``pack(in:isSent:)``.
    func pack(isSent: Bool = true) throws -> Shipment {
        let empty: Shipment? = try cycle.read { store in
            let place = try store.exchangePlace()
            let isEmpty = try place.cursor != nil && (!maySend(at: place) || store.countMutations(.unsent) == 0)
            if !isEmpty { return nil }
            var empty = shipment(at: place)
            try addDoubtful(to: &empty, in: store)
            return empty
        }
        return try empty ?? cycle.write { try pack(in: $0, isSent: isSent) }
    }

    /// A request that carries nothing yet.
    func shipment(at place: ExchangePlace) -> Shipment {
        let most = cycle.configuration.changesPerPage
        let limit = gateway.dividesExchange(from: place.cursor) ? most : min(most, place.receiving.size)
        return Shipment(place: place, limit: search.isProbing || search.beginsSmall ? 1 : limit)
    }

    /// Fills a shipment with what it may carry.
    func fill(
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

    /// Adds the operations that are not sent now and may have arrived before, if the older routes are used: their feed shows an
    /// arrival once, and a snapshot hides it. The exchange needs no such look, because a repeated key tells the arrival at any
    /// time.
    private func addDoubtful(to shipment: inout Shipment, in store: any DataStoreProtocol) throws {
        let cursor = shipment.place.cursor
        if cursor == nil || gateway.dividesExchange(from: cursor) { try outbox(store).addDoubtful(to: &shipment) }
    }

    func maySend(at place: ExchangePlace) -> Bool {
        isSending && place.resync == nil && !search.isGivenUp && !search.isProbing
    }

    /// Chooses what the next request carries, in the save of the answer before it.
    ///
    /// - Parameter isSent: Whether this cycle makes that request. Then the shipment is marked as sending.
    func pack(in store: any DataStoreProtocol, isSent: Bool) throws -> Shipment {
        var place = try store.exchangePlace()
        if place.cursor == nil { try beginSnapshot(&place, in: store) }
        var shipment = shipment(at: place)
        let mayFill = maySend(at: place)
        if mayFill {
            try fill(&shipment, passing: Set(attempts.filter { $0.value >= Self.attemptLimit }.keys), in: store)
        }
        try addDoubtful(to: &shipment, in: store)
        guard mayFill else { return shipment }
        if isSent { try store.markSending(shipment.fresh) }
        ahead = try packAhead(of: shipment, in: store)
        return shipment
    }

    /// Chooses what can follow a shipment before its answer is saved, and marks it as sending.
    ///
    /// - Returns: Nil if there is nothing, or if what follows depends on the answer.
    func packAhead(of shipment: Shipment, in store: any DataStoreProtocol) throws -> Shipment? {
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
    func dropAhead(in store: any DataStoreProtocol) throws {
        if let ahead { try outbox(store).takeBack(ahead, ahead.keys) }
        ahead = nil
    }

    /// A device without records needs no marks: the snapshot can miss nothing that is here.
    func beginSnapshot(_ place: inout ExchangePlace, in store: any DataStoreProtocol) throws {
        try store.clearMarks()
        place.isMarking = try cycle.schema.types.contains {
            try !store.unmarkedIds($0.entityType, after: nil, limit: 1).isEmpty
        }
        try store.setExchangePlace(place)
    }
}
