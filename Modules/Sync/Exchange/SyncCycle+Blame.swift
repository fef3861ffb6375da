import TrendyDomain

extension SyncCycle {
    /// Keeps why a request failed with the one mutation that made it fail.
    ///
    /// A mutation that the server refuses is parked at once. One on which the server fails is sent again, and parked
    /// once that has happened in ``SyncConfiguration/blameLimit`` syncs. What fails on the way to the server parks nothing.
    ///
    /// - Parameter sent: The mutation as it was sent. What a person has made of it since is not to blame.
    func blame(_ sent: PendingMutation, _ refusal: Refusal, in store: any DataStoreProtocol) throws {
        guard var mutation = try store.findMutation(id: sent.id), mutation.state.isUnsent,
            mutation.clientRequestId == sent.clientRequestId, mutation.payload == sent.payload
        else { return }
        if !refusal.isOfNetwork { mutation.attempts += 1 }
        mutation.lastError = refusal.message
        mutation.lastAttemptAt = wallClock.now()
        let limit = configuration.blameLimit
        if refusal.isOfNetwork {
            failures[sent.id] = refusal.message
        } else if !refusal.isServerFailure {
            mutation.state = .parked(
                ParkReason(
                    code: .rejected, message: refusal.message, fields: refusal.problem.errors ?? [],
                    answer: refusal.error.answer))
        } else if mutation.attempts >= limit {
            mutation.state = .parked(
                ParkReason(
                    code: .blamed, message: "the server failed on it in \(limit) syncs: \(refusal.message)",
                    isUnanswered: true, answer: refusal.error.answer))
        } else {
            failures[sent.id] = refusal.message
        }
        if mutation.state.name == .parked {
            mutation.settledAt = wallClock.now()
            if let type = schema.type(for: mutation.entityType) {
                try store.setSyncStatus(type, id: mutation.entityId, .failed)
            }
        }
        try store.updateMutation(mutation)
    }
}
