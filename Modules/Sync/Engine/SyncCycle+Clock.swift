import TrendyDomain

/// What is learnt of the server's clock.
extension SyncCycle {
    /// Notes what the answer has told of the server's clock.
    ///
    /// - Returns: Whether that is news, so that something may be sent that was held back until its time.
    func noteClock(
        early: [Int64], of shipment: Shipment, _ results: [SyncResult], in store: any DataStoreProtocol
    ) throws -> Bool {
        let before = try store.serverClock()
        var clock = before
        clock.note(networkClient.clockReading)
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

    /// Forgets that records were refused for the time in their ids, so that they are sent. It is for another epoch: another
    /// server, or other routes.
    func forgetTimeRefusals(in store: any DataStoreProtocol) throws {
        var clock = try store.serverClock()
        guard clock.refusesEarlyIds else { return }
        clock.forgetRefusals()
        try store.setValue(clock, for: MetadataKey.serverClock)
    }

    /// Whether a record waits whose id is of that time or later.
    private func isCreateWaiting(madeAt time: Timestamp, in store: any DataStoreProtocol) throws -> Bool {
        try store.fetchMutations(MutationQuery(states: [.queued, .sending], operations: [.create])).contains {
            UUIDv7($0.entityId).map { $0.timestamp >= time } ?? false
        }
    }
}
