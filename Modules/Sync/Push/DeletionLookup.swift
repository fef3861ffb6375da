import TrendyDomain

/// Tells from the feed which records were deleted after what is applied here.
///
/// A create that the server has taken without saying so, and whose record is missing now, looks like one that never
/// arrived. The feed knows the difference.
final class DeletionLookup {
    private let cycle: SyncCycle
    private var deleted: Set<RecordKey>?

    init(cycle: SyncCycle) {
        self.cycle = cycle
    }

    /// Whether the server has taken a create, and its record was deleted elsewhere since.
    ///
    /// Of a create that makes a record anew the feed cannot tell: an earlier deletion may be the one that it shows.
    /// The feed is read once for all that are asked for.
    func haveTaken(_ create: PendingMutation) async throws -> Bool {
        let deletions: Set<RecordKey>
        if let deleted { deletions = deleted } else { deletions = try await readDeletions() }
        deleted = deletions
        guard deletions.contains(RecordKey(create)) else { return false }
        return try cycle.read { try cycle.applier(on: $0).isFirst(create) }
    }

    private func readDeletions() async throws -> Set<RecordKey> {
        var cursor = try cycle.read { try FeedWindow.stored(in: $0).settled }
        var deletions: Set<RecordKey> = []
        let reader = FeedReader(cycle: cycle)
        while true {
            let page = try await reader.page(since: cursor)
            deletions.formUnion(page.changes.filter { $0.operation == .delete }.map { RecordKey($0) })
            if !page.hasMore { return deletions }
            cursor = page.nextCursor
        }
    }
}
