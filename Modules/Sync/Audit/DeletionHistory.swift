import TrendyDomain

/// What a server's whole feed says of the deletion of some records.
struct DeletionHistory {
    /// Those whose last entry is a deletion.
    private(set) var deleted: Set<RecordKey> = []
    /// False where the feed is longer than one cycle may read.
    private(set) var isWhole = true

    /// After how many pages the lease is renewed.
    private static let leaseInterval = 20

    /// Reads the feed from its beginning, and keeps what it says of these records.
    static func read(of records: Set<RecordKey>, by audit: StoreAudit) async throws -> DeletionHistory {
        var history = DeletionHistory()
        if records.isEmpty { return history }
        let reader = FeedReader(cycle: audit.cycle)
        var page = try await reader.page(since: 0)
        var pages = 1
        while true {
            for entry in page.changes.sorted(by: { $0.id < $1.id }) {
                let key = RecordKey(entry)
                guard records.contains(key) else { continue }
                if entry.operation == .delete { history.deleted.insert(key) } else { history.deleted.remove(key) }
            }
            if !page.hasMore { return history }
            guard reader.hasPagesLeft else { break }
            pages += 1
            if pages.isMultiple(of: leaseInterval) { try audit.keepLease() }
            page = try await reader.page(since: page.nextCursor)
        }
        history.isWhole = false
        return history
    }
}
