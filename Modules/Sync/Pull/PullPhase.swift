import TrendyDomain

/// Receives the server's changes, a page at a time; a page and the cursor that covers it are one save.
///
/// It reads so many pages at most: what is left comes with the next sync.
struct PullPhase {
    private let cycle: SyncCycle
    private let quarantine: Quarantine
    /// So many changes of those that listings may have shown are held in memory at most: about 10 MB.
    private static let stretchLimit = 10_000

    init(cycle: SyncCycle) {
        self.cycle = cycle
        quarantine = Quarantine(cycle: cycle)
    }

    func run() async throws {
        cycle.onState(.pulling)
        try retryWaitingVersions()
        try retryQuarantined()
        let known = try cycle.read { try window(in: $0) }
        var cursor = known.settled
        let feed = FeedReader(cycle: cycle)
        let continuity = FeedContinuity(cycle: cycle, feed: feed, known: known)
        while true {
            let page = try await fetchStretch(of: feed, since: cursor)
            try await continuity.check(page)
            var overtaken = try await OverlapReader(cycle: cycle).overtaken(in: page)
            overtaken.formUnion(try await RevivalReader(cycle: cycle).overtaken(in: page, besides: overtaken))
            let lost = try await LostChildReader(cycle: cycle).lost(in: page, except: overtaken)
            cycle.pulled += try apply(page, since: cursor, except: overtaken, lost: lost)
            cycle.onReceived(page.changes.count)
            if !page.hasMore { break }
            guard feed.hasPagesLeft else {
                cycle.hasMore = true
                return
            }
            cursor = page.nextCursor
        }
        try stopAwaitingEchoes()
        // The feed is whole after all.
        if try cycle.read({ try $0.owesFullResync }) { try cycle.write { try $0.demandFullResync() } }
    }

    /// The next page; where a listing may have shown its changes, all pages that the listing may have shown, so that
    /// a record is not brought back by its creation when its deletion is on a later page, nor taken back to a version from
    /// before the listing when a later one is there.
    private func fetchStretch(of feed: FeedReader, since cursor: Int64) async throws -> ChangeFeedResponse {
        var page = try await feed.page(since: cursor)
        let known = try cycle.read { try window(in: $0) }
        while page.hasMore,
            page.nextCursor < known.listedUntil ?? 0
                || known.followsListing == true && feed.hasPagesLeft && page.changes.count < Self.stretchLimit
        {
            let next = try await feed.page(since: page.nextCursor)
            page.changes += next.changes
            page.nextCursor = next.nextCursor
            page.hasMore = next.hasMore
        }
        return page
    }

    /// - Parameters:
    ///   - cursor: The place after which the page begins.
    ///   - overtaken: Entries that a later deletion has made worthless.
    ///   - lost: Entries whose records have gone with their parents.
    private func apply(
        _ page: ChangeFeedResponse, since cursor: Int64, except overtaken: Set<Int64>, lost: Set<Int64>
    ) throws -> Int {
        try cycle.write { store in
            var window = try window(in: store)
            let before = window
            let applier = ChangeApplier(cycle: cycle, store: store, quarantine: quarantine)
            let now = cycle.wallClock.now()
            let superseded = try window.followsListing == true ? applier.superseded(in: page) : []
            var changed = 0
            try quarantine.replaceUnplaced(of: page, since: cursor, in: store)
            for entry in page.changes.sorted(by: { $0.id < $1.id }) where entry.hasPlace {
                let waits = try quarantine.holds(entry, in: store)
                // What waits aside may have been garbled on its way, and be right this time.
                if window.contains(entry.id), !waits { continue }
                let isOld =
                    try overtaken.contains(entry.id) || superseded.contains(entry.id)
                    || window.hasLater(than: entry)
                    || window.mayBeListed(entry) && (applier.isOutdated(entry) || applier.wentWithParent(entry))
                // A later version of the record counts; what cannot be read yet is kept all the same.
                if isOld, waits, applier.understands(entry) { try quarantine.drop(entry, in: store) }
                let isChange =
                    try isOld
                    ? applier.passOver(entry)
                    : lost.contains(entry.id) ? applier.takeOut(entry) : applier.apply(entry)
                if isChange { changed += 1 }
                window.insert(try applier.known(entry), seenAt: now)
                cycle.touched?.insert(RecordKey(entry))
            }
            // What is old settles with the last page only: until then the pages show it once more.
            window.settle(
                seenBefore: page.hasMore ? nil : now.advanced(byMilliseconds: -cycle.configuration.feedSettlingTime),
                limit: cycle.configuration.feedOverlap)
            if !page.hasMore { window.reachedEnd() }
            if window != before { try store.setValue(window, for: MetadataKey.feedWindow) }
            try store.advanceCursor(to: page.changes.map(\.id).max() ?? page.nextCursor)
            return changed
        }
    }

    private func window(in store: any DataStoreProtocol) throws -> FeedWindow { try FeedWindow.stored(in: store) }

    private func stopAwaitingEchoes() throws {
        guard try cycle.read({ try EchoWatch(store: $0).awaitsAny }) else { return }
        try cycle.write { try EchoWatch(store: $0).endAll() }
    }

    private func retryWaitingVersions() throws {
        guard try cycle.read({ try $0.countDocuments(WaitingVersion.self) }) > 0 else { return }
        cycle.pulled += try cycle.write { try cycle.applier(on: $0).retryWaitingVersions() }
    }

    private func retryQuarantined() throws {
        guard try cycle.read({ try $0.countDocuments(QuarantinedChange.self) }) > 0 else { return }
        cycle.pulled += try cycle.write { store in
            try ChangeApplier(cycle: cycle, store: store, quarantine: quarantine).retryQuarantined()
        }
    }
}
