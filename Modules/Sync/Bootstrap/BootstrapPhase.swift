import TrendyDomain

/// Fetches everything anew.
///
/// Records are staged page by page, where no reader sees them, and take the place of the old ones in one
/// save. The feed's cursor is read before the first listing, so that whatever changes meanwhile is pulled
/// afterwards. Unsent work stays, laid over what the server has.
struct BootstrapPhase {
    private let cycle: SyncCycle
    private let quarantine: Quarantine

    init(cycle: SyncCycle) {
        self.cycle = cycle
        quarantine = Quarantine(cycle: cycle)
    }

    func run() async throws {
        cycle.onState(.pulling)
        try await ConflictScout(cycle: cycle).run()
        var progress = try await begin()
        for type in cycle.schema.types where !progress.finished.contains(type.entityType) {
            try await stage(type, &progress)
        }
        try await AbsenceCheck(cycle: cycle, quarantine: quarantine, startCursor: progress.startCursor).confirm()
        try takeOver(progress)
        cycle.bootstrapped = true
    }

    /// Goes on where an earlier bootstrap was cut off, or begins a new one.
    private func begin() async throws -> BootstrapProgress {
        let known = try cycle.read { try $0.value(BootstrapProgress.self, for: MetadataKey.bootstrap) }
        if let known { return known }
        let client = cycle.networkClient
        let cursor: Int64
        switch try await cycle.send({ try await client.getLatestCursor() }) {
        case .success(let latest): cursor = latest
        case .failure(let refusal): throw refusal.asStop
        }
        guard FeedReader.plausible.contains(cursor) else {
            throw CycleStop.protocolBroken("the server's newest cursor is \(cursor)")
        }
        try tellOfLostFeed(endingAt: cursor)
        var progress = BootstrapProgress(startCursor: cursor)
        try cycle.write { store in
            progress.feedWentBack = try store.cursor().map { cursor < $0 }
            for type in cycle.schema.types { try store.clearStaged(type) }
            // The listings show again what waits aside of them.
            try dropQuarantine(in: store) { $0.id == 0 }
            try store.forgetStagedByPush()
            try store.setValue(progress, for: MetadataKey.bootstrap)
        }
        return progress
    }

    /// Ends the cycle where the feed has gone back and the person has not been told: what the server has lost would go
    /// from here too, and this may be the only copy. Who asks again, being told, gets what the server has.
    private func tellOfLostFeed(endingAt latest: Int64) throws {
        let read = try cycle.read { store -> Int64? in
            let isTold = try store.fetchDocuments(SyncHistoryEntry.self).last?.failure == .feedReplaced
            // With nothing here, nothing can go: so it is where somebody else takes over an empty store.
            let isEmpty = try cycle.schema.types.allSatisfy { try store.count($0) == 0 }
            return isTold || isEmpty ? nil : try store.cursor()
        }
        guard let read, latest < read else { return }
        // Otherwise the next sync, which may start by itself, would go on as if the person had asked again.
        try cycle.write { try $0.putOffFullResync() }
        throw FeedContinuity.ends(at: latest, before: read)
    }

    private func stage<Entity: SyncEntity>(_ type: Entity.Type, _ progress: inout BootstrapProgress) async throws {
        progress.begin(Entity.entityType)
        let journal = BootstrapJournal(quarantine: quarantine)
        try await RecordLister<Entity>(cycle: cycle, journal: journal).stageAll(&progress)
        progress.finish(Entity.entityType)
        try cycle.write { try $0.setValue(progress, for: MetadataKey.bootstrap) }
    }

    // MARK: Taking over

    private func takeOver(_ progress: BootstrapProgress) throws {
        let placed: Int = try cycle.write { store in
            var staged = 0
            for type in cycle.schema.types { staged += try takeOver(type, in: store) }
            for type in cycle.schema.types { try removeChildrenOfDeleted(type.entityType, in: store) }
            // No pull has come in between, so that all of the feed that waits aside is older than the listings.
            try dropQuarantine(in: store) { $0.id > 0 }
            try store.forgetStagedByPush()
            try store.setMetadata(MetadataKey.bootstrap, nil)
            try store.setMetadata(MetadataKey.fullResync, nil)
            try notePassed(after: progress, in: store)
            try store.setMetadata(MetadataKey.cursor, String(try cursor(after: progress, in: store)))
            let window = FeedWindow(listedUntil: progress.startCursor, overlap: cycle.configuration.feedOverlap)
            try store.setValue(window, for: MetadataKey.feedWindow)
            return staged
        }
        cycle.placed += placed
        cycle.pulled += placed
    }

    /// What the listings made it needless to read is passed over.
    private func notePassed(after progress: BootstrapProgress, in store: any DataStoreProtocol) throws {
        if progress.feedWentBack == true { return try store.setMetadata(MetadataKey.passedStretch, nil) }
        if try store.cursor() != nil { try PassedStretch.note(in: store) }
    }

    /// A cursor goes back only to follow a feed that has gone back itself: what lay behind is no place of it any more.
    private func cursor(after progress: BootstrapProgress, in store: any DataStoreProtocol) throws -> Int64 {
        if progress.feedWentBack == true { return progress.startCursor }
        return max(progress.startCursor, try store.cursor() ?? 0)
    }

    /// Replaces the records of a kind, all but those with work that the server has not accepted.
    private func takeOver<Entity: SyncEntity>(_ type: Entity.Type, in store: any DataStoreProtocol) throws -> Int {
        let busy = try busyRecords(Entity.entityType, in: store)
        let rebased = try busy.sorted().compactMap { try store.findStaged(type, id: $0) }
        let orphans = busy.subtracting(rebased.map(\.id))
        try store.replaceWithStaged(type, keeping: busy)
        let applier = cycle.applier(on: store)
        for remote in rebased {
            // Otherwise an accepted edit would stand above what others have changed after it.
            try EchoWatch(store: store).saw(listed: remote)
            try applier.upsert(remote)
        }
        for id in orphans.sorted() where try wasOnServer(type, id, in: store) { try applier.delete(type, id: id) }
        let kept = try orphans.filter { try store.find(type, id: $0) != nil }
        return try store.count(type) - kept.count
    }

    /// Children that were listed before their parent was deleted here.
    private func removeChildrenOfDeleted(_ entityType: EntityType, in store: any DataStoreProtocol) throws {
        let applier = cycle.applier(on: store)
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: entityType, operations: [.delete])
        for deletion in try store.fetchMutations(query)
        where deletion.state != .accepted || deletion.answer?.awaitsEcho == true {
            if try isMadeAnew(after: deletion, in: store) { continue }
            try applier.childrenOfDeleted(entityType, deletion.entityId)
        }
    }

    /// Whether the record was made again here after its deletion: then it has its children.
    private func isMadeAnew(after deletion: PendingMutation, in store: any DataStoreProtocol) throws -> Bool {
        let creates = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: deletion.entityType, operations: [.create],
            entityId: deletion.entityId, afterId: deletion.id)
        return try store.countMutations(creates) > 0
    }

    /// Takes out what waits aside and the listings show as it is now. No listing shows kinds that are not known here, so
    /// theirs stay.
    private func dropQuarantine(in store: any DataStoreProtocol, where isShown: (ChangeEntry) -> Bool) throws {
        for held in try quarantine.all(in: store)
        where isShown(held.entry) && cycle.schema.type(for: held.entry.entityType) != nil {
            try quarantine.remove(held, in: store)
        }
    }

    /// Records with work that the server has not accepted, and those whose deletion it accepted after they were listed.
    private func busyRecords(_ entityType: EntityType, in store: any DataStoreProtocol) throws -> Set<String> {
        let open = MutationQuery(states: [.queued, .sending, .parked], entityType: entityType)
        let deleted = MutationQuery(states: [.accepted], entityType: entityType, operations: [.delete])
        let deletions = try store.fetchMutations(deleted).filter { $0.answer?.awaitsEcho == true }
        return Set((try store.fetchMutations(open) + deletions).map(\.entityId))
    }

    /// Whether the server has had a record that it does not list any more.
    private func wasOnServer<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, in store: any DataStoreProtocol
    ) throws -> Bool {
        let open = try store.openMutations(Entity.entityType, id)
        return !open.contains { $0.operation == .create || $0.operation == .delete }
    }
}
