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
    /// The mutation is sent again in the next cycle, and nothing is decided before this one ends: see
    /// ``judgeSuspects(in:)``. A deletion of its record that was made since goes at once, and so does an edit that corrects it,
    /// because that may be just what helps.
    ///
    /// - Returns: Whether that can be sent now.
    func blame(_ sent: PendingMutation, _ refusal: Refusal, in store: any DataStoreProtocol) throws -> Bool {
        guard var mutation = try unsent(sent, in: store) else { return false }
        let isKnown = mutation.attempts > 0
        mutation.lastError = refusal.message
        mutation.lastAttemptAt = wallClock.now()
        if !refusal.isOfNetwork, !isKnown { mutation.attempts = 1 }
        try store.updateMutation(mutation)
        if try giveWay(mutation, refusal, in: store) { return true }
        failures[sent.id] = refusal.message
        if !refusal.isOfNetwork { suspects.append(Suspect(sent: sent, refusal: refusal, isKnown: isKnown)) }
        return false
    }

    /// Unblocks the operation behind a mutation that fails. An edit is joined with the mutation; a deletion passes it.
    ///
    /// If the mutation is an edit that may have arrived, a later edit waits unless it corrects all of its values: the others would
    /// be sent again under a new key, over what others have changed since.
    ///
    /// - Returns: Whether there is such an operation.
    private func giveWay(
        _ mutation: PendingMutation, _ refusal: Refusal, in store: any DataStoreProtocol
    ) throws -> Bool {
        guard let (replica, copy, index) = try find(mutation, in: store) else { return false }
        let reason = ParkReason(code: .blamed, message: refusal.message, answer: refusal.error.answer)
        var record = copy.record
        guard record.operations.dropFirst(index + 1).first?.change == .delete else {
            return try record.isCorrected(at: index) && replica.correct(copy, record, index, reason)
        }
        record.operations[index].isParked = true
        try replica.save(copy, as: record, parked: { _ in reason })
        return true
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
                if try park(mutation, suspect.refusal, in: store) { hasMore = true }
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

    /// - Returns: Whether an edit that was made since goes in its place.
    private func park(
        _ mutation: PendingMutation, _ refusal: Refusal, in store: any DataStoreProtocol
    ) throws -> Bool {
        failures[mutation.id] = nil
        try store.updateMutation(mutation)
        guard let (replica, copy, index) = try find(mutation, in: store) else { return false }
        return try replica.refuse(copy, copy.record, index, reason(of: refusal))
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

extension OpenRecord {
    /// Whether the edits behind an operation can go on with it at once: if it may have arrived, they correct all its values. A
    /// create goes on with any edit, because its own answer tells what has arrived of it.
    fileprivate func isCorrected(at index: Int) -> Bool {
        guard operations[index].isInFlight, case .update(let patch) = operations[index].change else { return true }
        let later = operations[(index + 1)...].prefix { $0.change.isUpdate }
        return patch.values.keys.allSatisfy { path in later.contains { $0.change.edits(path) } }
    }
}
