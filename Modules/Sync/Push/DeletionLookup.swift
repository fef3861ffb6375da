import TrendyDomain

/// Tells from the feed which records were deleted after what is applied here.
///
/// A create that the server has taken without saying so, and whose record is missing now, looks like one that never
/// arrived. The feed knows the difference.
final class DeletionLookup {
    private let cycle: SyncCycle
    /// How far the feed has been read; nil before the first question.
    private var cursor: Int64?
    private var deleted: Set<RecordKey> = []

    init(cycle: SyncCycle) {
        self.cycle = cycle
    }

    /// Those of these creates that the server has taken, and whose records were deleted elsewhere since.
    ///
    /// To be asked after a look has shown that a record is missing: every question reads on in the feed, since the
    /// deletion may be as young as that look. Of a create that makes a record anew the feed cannot tell: an earlier
    /// deletion may be the one that it shows.
    ///
    /// - Parameter pages: So many pages are read at most, which need not reach the feed's end.
    func taken(of creates: [PendingMutation], within pages: Int = .max) async throws -> [PendingMutation] {
        try await readOn(within: pages)
        let gone = creates.filter { deleted.contains(RecordKey($0)) }
        if gone.isEmpty { return [] }
        return try cycle.read { store in
            let applier = cycle.applier(on: store)
            return try gone.filter { try applier.isFirst($0) }
        }
    }

    private func readOn(within pages: Int) async throws {
        let reader = FeedReader(cycle: cycle)
        var since = try cursor ?? cycle.read { try FeedWindow.stored(in: $0).settled }
        for _ in 0..<pages {
            let page = try await reader.page(since: since)
            deleted.formUnion(page.changes.filter { $0.operation == .delete }.map { RecordKey($0) })
            since = page.nextCursor
            cursor = since
            if !page.hasMore { break }
        }
    }
}
