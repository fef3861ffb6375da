import TrendyDomain

/// Whether the server's history is the one that the device knows.
extension ExchangeCycle {
    /// Proves the server's history first, if a shipment would begin a snapshot of a history that is not proven yet.
    ///
    /// - Returns: What to send: the shipment, or another one if the history was looked at.
    func proven(_ shipment: Shipment) async throws -> Shipment {
        guard let cursor = shipment.place.proof, judged?.cursor != cursor else { return shipment }
        judged = (cursor, try await judge(cursor))
        return try pack()
    }

    /// Asks with the cursor that a resync has given up whether the server's history is the one that the device knows. A
    /// snapshot begins without a cursor, so it would not tell.
    private func judge(_ cursor: String) async throws -> HistoryVerdict {
        let place = try cycle.read { try $0.exchangePlace() }
        // A cursor of the older routes proves no history. If the exchange is back, the cursor that the device had there
        // does.
        let former = try gateway.former(to: cursor)
        if former == nil, gateway.readsDevice(for: cursor) { return .asNamed }
        let epoch = former.map(\.epoch) ?? place.epoch
        guard
            case .failure(let refusal) = try await ask(
                SyncRequest(epoch: epoch, cursor: former?.cursor ?? cursor, limit: 1))
        else { return .same }
        if let reason = refusal.problem.resync, reason == .expired || former == nil {
            try change(place) { $0.restart(reason) }
            return reason == .expired ? .same : .asNamed
        }
        return refusal.isServerFailure ? try await judge(refusal, place) : .asNamed
    }

    /// Judges a failure on the cursor that is to prove the history. It says nothing of the history, so that is proven later.
    ///
    /// - Returns: What is made of it where it fails alone, and again and again.
    /// - Throws: The failure as the end of the cycle. While only the older routes answer, every cycle ends so, until the
    ///   absence of the exchange is lasting (``ExchangeAbsence/isLasting``).
    private func judge(_ refusal: Refusal, _ place: ExchangePlace) async throws -> HistoryVerdict {
        switch try await ask(SyncRequest(epoch: nil, cursor: nil, limit: 1)) {
        case .failure(let failure): throw failure.asStop
        case .success(let page):
            if gateway.dividesExchange(from: page.cursor) { throw refusal.asStop }
            var isEnough = false
            try change(place) { isEnough = $0.noteFailedProof(at: cycle.wallClock.now()) }
            if !isEnough { throw refusal.asStop }
            return .other
        }
    }

    /// Changes the place, unless somebody has asked for another resync meanwhile.
    private func change(_ place: ExchangePlace, _ transform: (inout ExchangePlace) -> Void) throws {
        var changed = place
        transform(&changed)
        try cycle.write { store in
            if try store.exchangePlace() == place { try store.setExchangePlace(changed) }
        }
    }

    /// Makes the place and the revisions here those of the history that an answer is from.
    func noteHistory(
        _ epoch: String, at place: inout ExchangePlace, in store: any DataStoreProtocol
    ) throws {
        let isReplaced = place.cursor == nil && place.resync == .epoch
        if place.epoch != epoch || isReplaced {
            try cycle.forgetTimeRefusals(in: store)
            search.forgetPassed()
        }
        guard let former = place.epoch else { return }
        let countsOn = gateway.countsOn(from: former, in: epoch)
        let verdict = judged.flatMap { $0.cursor == place.proof ? $0.verdict : nil } ?? .asNamed
        let isOther = former != epoch || countsOn && (place.resync == .epoch || verdict == .other)
        if place.cursor == nil, verdict != .same, isOther {
            (place.resync, place.shared) = (.epoch, countsOn ? 0 : nil)
            try store.voidRevisions(keepingFormer: countsOn)
        } else if former != epoch, !countsOn {
            // The history goes on, and the gateway counts its revisions anew.
            place.head = 0
            try store.voidRevisions(keepingFormer: false)
            try shelf(store).voidRevisions()
        }
    }
}
