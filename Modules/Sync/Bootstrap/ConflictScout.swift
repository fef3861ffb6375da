import TrendyDomain

/// Lists what others did at the same time as what the server has just taken from here, before everything is fetched anew.
///
/// A listing shows what stands in the end: the edits from here, where they came last. That somebody else's lay beneath
/// them only the feed tells, and a bootstrap passes over it. So it is read for that before: nothing of it is applied, and
/// the cursor stays.
struct ConflictScout {
    let cycle: SyncCycle

    func run() async throws {
        let known = try cycle.read { store -> FeedWindow? in
            guard try store.cursor() != nil, try EchoWatch(store: store).awaitsAny else { return nil }
            return try FeedWindow.stored(in: store)
        }
        // Until a pull has followed a listing nobody knows which entries that has shown.
        guard let known, known.followsListing != true else { return }
        do {
            try await read(after: known)
        } catch let stop as CycleStop {
            switch stop {
            // Everything is fetched anew just because of what ails the feed.
            case .unreachable, .protocolBroken, .feedRefused, .feedReplaced: return
            default: throw stop
            }
        }
    }

    private func read(after known: FeedWindow) async throws {
        let feed = FeedReader(cycle: cycle)
        let continuity = FeedContinuity(cycle: cycle, feed: feed, known: known)
        var cursor = known.settled
        var heard: Set<Int64> = []
        while true {
            let page = try await feed.page(since: cursor)
            try await continuity.check(page)
            let news = page.changes.sorted { $0.id < $1.id }.filter {
                $0.hasPlace && !known.contains($0.id) && !known.mayBeListed($0)
            }
            try cycle.write { store in
                let applier = cycle.applier(on: store)
                for entry in news {
                    heard.formUnion(try EchoWatch(store: store).shown(by: entry).map(\.id))
                    guard entry.operation != .delete, let type = cycle.schema.type(for: entry.entityType) else {
                        continue
                    }
                    try note(entry, type, applier, heard)
                }
            }
            guard page.hasMore, feed.hasPagesLeft else { return }
            cursor = page.nextCursor
        }
    }

    private func note<Entity: SyncEntity>(
        _ entry: ChangeEntry, _ type: Entity.Type, _ applier: RemoteApplier, _ heard: Set<Int64>
    ) throws {
        if let remote = entry.usableRecord(type) { try applier.noteConflicts(with: remote, after: heard) }
    }
}
