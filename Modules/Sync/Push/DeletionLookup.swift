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

    /// Whether the server has taken a create, and its record was deleted elsewhere since.
    ///
    /// To be asked after a look has shown that the record is missing: every question reads on in the feed, since the
    /// deletion may be as young as that look. Of a create that makes a record anew the feed cannot tell: an earlier
    /// deletion may be the one that it shows.
    func haveTaken(_ create: PendingMutation) async throws -> Bool {
        guard try cycle.read({ try cycle.applier(on: $0).isFirst(create) }) else { return false }
        try await readOn()
        return deleted.contains(RecordKey(create))
    }

    private func readOn() async throws {
        let reader = FeedReader(cycle: cycle)
        var since = try cursor ?? cycle.read { try FeedWindow.stored(in: $0).settled }
        while true {
            let page = try await reader.page(since: since)
            deleted.formUnion(page.changes.filter { $0.operation == .delete }.map { RecordKey($0) })
            since = page.nextCursor
            if !page.hasMore { break }
        }
        cursor = since
    }
}
