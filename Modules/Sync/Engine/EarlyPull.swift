import TrendyDomain

/// Hears what others say before a push that sends new records which they may have as well.
///
/// A create replaces what the server has under its id. An import of the same file on two devices, and a record that is put
/// back on both, would otherwise undo what the other one has changed in it since. What is heard of such a record marks its
/// create (``PendingMutation/isForeign``), and settles it when its kind's turn comes (``HeardCreates``).
struct EarlyPull {
    let cycle: SyncCycle

    /// - Returns: What ails the feed, to end the cycle with after the push: that is not to hold back what was done here.
    func run() async throws -> CycleStop? {
        guard let reason = try cycle.read({ try $0.metadata(MetadataKey.pullFirst) }) else { return nil }
        do {
            guard try await pull() else { return nil }
        } catch let stop as CycleStop {
            switch stop {
            case .unreachable, .protocolBroken, .feedRefused, .feedReplaced, .quarantineFull: return stop
            default: throw stop
            }
        }
        cycle.hasHeard = true
        try cycle.write { store in
            // Another process may have put in more meanwhile.
            if try store.metadata(MetadataKey.pullFirst) == reason { try store.setMetadata(MetadataKey.pullFirst, nil) }
        }
        return nil
    }

    /// Pulls to the feed's end. Answers whether it came there; one that is endless must not keep the push.
    private func pull() async throws -> Bool {
        if try cycle.read({ try $0.needsBootstrap() }) { try await cycle.bootstrap() }
        for _ in 0..<Self.pulls {
            cycle.hasMore = false
            try await PullPhase(cycle: cycle).run()
            if !cycle.hasMore { return true }
        }
        cycle.hasMore = false
        return false
    }

    private static let pulls = 5
}

extension PendingMutation {
    /// Whether a new record's id was made for it: then nobody else can have it. An id that is taken for older than it is
    /// costs a pull.
    var isFreshlyMade: Bool {
        guard let made = UUIDv7(entityId)?.timestamp else { return false }
        return abs(made.milliseconds - createdAt.milliseconds) <= 100
    }
}

extension SyncCycle {
    /// Fetches everything anew, unless this cycle has done so.
    func bootstrap() async throws {
        if bootstrapped { return }
        isListing = true
        defer { isListing = false }
        try await BootstrapPhase(cycle: self).run()
    }
}
