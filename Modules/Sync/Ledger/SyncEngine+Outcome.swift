public import TrendyDomain

extension SyncEngine {
    /// Waits until a mutation is settled: accepted, merged into what the server has, parked or dropped.
    ///
    /// It follows a merged mutation to the one that carries its effect, so that the answer tells whether the change
    /// has arrived. `merged(into: nil)` means that it went into a record that the server has, or that a later change
    /// undid it before it was sent. It starts no sync, and notices what other processes do.
    ///
    /// - Throws: ``SyncEngineError/unknownMutation(_:)`` where there is none, or it was settled long ago;
    ///   `CancellationError` as soon as the task is cancelled; ``StoreError``.
    public func outcome(of id: Int64) async throws -> MutationState {
        while true {
            // This comes before the read, so that no ring is missed between the two.
            let rings = bell.rings()
            if let state = try settledState(of: id) { return state }
            try await Self.firstOf(rings, clock, configuration.ledgerPollInterval)
            try Task.checkCancellation()
        }
    }

    /// What became of a mutation, nil while that is open.
    private func settledState(of id: Int64) throws -> MutationState? {
        let store = try stores.makeDataStore()
        guard var mutation = try store.findMutation(id: id) else { throw SyncEngineError.unknownMutation(id) }
        var seen: Set<Int64> = [id]
        while case .merged(let next?) = mutation.state {
            // A record was made and deleted before it was sent: the two mutations are merged into each other.
            guard seen.insert(next).inserted else { return .merged(into: nil) }
            guard let successor = try store.findMutation(id: next) else { return mutation.state }
            mutation = successor
        }
        return mutation.state.isUnsent ? nil : mutation.state
    }

    /// Waits for a ring, but no longer than the interval.
    private static func firstOf(
        _ rings: AsyncStream<Void>, _ clock: any Clock<Duration>, _ interval: Duration
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in rings { break } }
            group.addTask { try await clock.sleep(for: interval) }
            _ = try await group.next()
            group.cancelAll()
        }
    }
}
