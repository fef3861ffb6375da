import TrendyDomain

/// A mutation that made a request fail, and how.
struct Suspect {
    /// The mutation as it was sent. What a person has made of it since is not to blame.
    let sent: PendingMutation
    let refusal: Refusal
    /// Whether it had failed in an earlier cycle too.
    let isKnown: Bool
}

extension SyncCycle {
    /// Keeps why a request failed with the one mutation that made it fail.
    ///
    /// It is sent again in the next cycle, and nothing is decided before this one ends: see ``judgeSuspects(in:)``. Only
    /// what is too large by itself is parked at once. What fails on the way to the server parks nothing; an edit that was made
    /// since takes its place.
    func blame(_ sent: PendingMutation, _ refusal: Refusal, in store: any DataStoreProtocol) throws {
        guard var mutation = try unsent(sent, in: store) else { return }
        mutation.lastError = refusal.message
        mutation.lastAttemptAt = wallClock.now()
        failures[sent.id] = refusal.message
        if !refusal.isOfNetwork {
            let isKnown = mutation.attempts > 0
            if !isKnown { mutation.attempts = 1 }
            if refusal.isTooLarge { return try park(mutation, refusal, in: store) }
            suspects.append(Suspect(sent: sent, refusal: refusal, isKnown: isKnown))
        }
        try store.updateMutation(mutation)
        if refusal.isOfNetwork, let found = try find(mutation, in: store) {
            let reason = ParkReason(code: .blamed, message: refusal.message)
            guard try found.replica.correct(found.copy, found.copy.record, found.index, reason) else { return }
            failures[sent.id] = nil
            hasMore = true
        }
    }

    /// Counts the failures of mutations on which the server has failed while it carried out others, and parks those that
    /// have failed in ``SyncConfiguration/blameLimit`` such cycles.
    ///
    /// A server that carries out nothing has a fault of its own, which passes: its disk is full, say, or a proxy refuses
    /// every request that writes.
    func judgeSuspects(in store: any DataStoreProtocol) throws {
        defer { suspects = [] }
        if pushed == 0 { return }
        for suspect in suspects {
            guard var mutation = try unsent(suspect.sent, in: store) else { continue }
            if suspect.isKnown { mutation.attempts += 1 }
            if mutation.attempts >= configuration.blameLimit {
                try park(mutation, suspect.refusal, in: store)
            } else {
                try store.updateMutation(mutation)
            }
        }
    }

    /// A mutation as it is now; nil where it waits no more, or says something else.
    private func unsent(_ sent: PendingMutation, in store: any DataStoreProtocol) throws -> PendingMutation? {
        guard let mutation = try store.findMutation(id: sent.id), mutation.state.isUnsent,
            mutation.clientRequestId == sent.clientRequestId, mutation.payload == sent.payload
        else { return nil }
        return mutation
    }

    private func park(_ mutation: PendingMutation, _ refusal: Refusal, in store: any DataStoreProtocol) throws {
        failures[mutation.id] = nil
        try store.updateMutation(mutation)
        guard let found = try find(mutation, in: store) else { return }
        if try found.replica.refuse(found.copy, found.copy.record, found.index, reason(of: refusal)) { hasMore = true }
    }

    /// The record of a mutation, and the place of its operation in that.
    private func find(
        _ mutation: PendingMutation, in store: any DataStoreProtocol
    ) throws -> (replica: Replica, copy: LocalCopy, index: Int)? {
        guard let type = schema.type(for: mutation.entityType) else { return nil }
        let replica = Replica(store: store, schema: schema, wallClock: wallClock, identifiers: identifiers)
        let copy = try replica.load(type, mutation.entityId)
        return copy.record.operations.firstIndex { $0.key == mutation.clientRequestId }.map { (replica, copy, $0) }
    }

    private func reason(of refusal: Refusal) -> ParkReason {
        guard refusal.isServerFailure else {
            return ParkReason(
                code: .rejected, message: refusal.message, fields: refusal.problem.errors ?? [],
                answer: refusal.error.answer)
        }
        return ParkReason(
            code: .blamed, message: "the server failed on it in \(configuration.blameLimit) syncs: \(refusal.message)",
            answer: refusal.error.answer)
    }
}
