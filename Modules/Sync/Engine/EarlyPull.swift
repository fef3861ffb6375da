import TrendyDomain

/// Hears what others say before a push that sends new records which they may have as well.
///
/// A create replaces what the server has under its id. An import of the same file on two devices, and a record that is put
/// back on both, would otherwise undo what the other one has changed in it since. Where this has heard of the record, the
/// push looks at it first (``PendingMutation/isForeign``).
struct EarlyPull {
    let cycle: SyncCycle

    /// - Returns: What ails the feed, to end the cycle with after the push: that is not to hold back what was done here.
    func run() async throws -> CycleStop? {
        let began = cycle.wallClock.now()
        guard let reason = try cycle.read({ try $0.metadata(MetadataKey.pullFirst) }) else {
            cycle.heard = .until(began)
            return nil
        }
        do {
            try await pull()
        } catch let stop as CycleStop {
            switch stop {
            case .unreachable, .protocolBroken, .feedRefused, .feedReplaced, .quarantineFull: return stop
            default: throw stop
            }
        }
        cycle.heard = .all(until: began)
        try cycle.write { store in
            // Another process may have put in more meanwhile.
            if try store.metadata(MetadataKey.pullFirst) == reason { try store.setMetadata(MetadataKey.pullFirst, nil) }
        }
        return nil
    }

    private func pull() async throws {
        if try cycle.read({ try $0.needsBootstrap() }) { try await cycle.bootstrap() }
        repeat {
            cycle.hasMore = false
            try await PullPhase(cycle: cycle).run()
        } while cycle.hasMore
    }
}

/// What a cycle has heard of others before its push.
enum Heard {
    /// Nothing, or a part: the feed is ailing, and what is here goes all the same.
    case nothing
    /// Nothing was to be asked for what had been made by then.
    case until(Timestamp)
    /// All that the server had when what had been made by then was to be sent.
    case all(until: Timestamp)

    /// Whether a new record that others may have was made too late for this cycle.
    func comesTooLate(_ create: PendingMutation) -> Bool {
        switch self {
        case .nothing: false
        case .until(let began), .all(let began): create.createdAt > began && !create.isFreshlyMade
        }
    }
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
