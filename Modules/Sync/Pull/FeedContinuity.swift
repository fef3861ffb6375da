import TrendyDomain

/// Makes sure that a feed is still the one that this device has read.
///
/// A server that was restored from a backup, or replaced, has a feed that ends before the device's cursor, or that
/// holds other changes at places which were read already. Such a device would hear of nothing for ever, or miss what
/// happened at those places. Each pull begins before the newest change that is known, so that its first page tells;
/// only where that change is missing, and nothing follows, is the server asked for its newest cursor.
final class FeedContinuity {
    private let cycle: SyncCycle
    private let feed: FeedReader
    private let known: FeedWindow
    private var isAssured = false

    /// How many pages are looked through for a change that has taken the place of the newest one that was read.
    private static let successorPages = 20

    /// - Parameter known: What the device knew of the feed before this pull.
    init(cycle: SyncCycle, feed: FeedReader, known: FeedWindow) {
        self.cycle = cycle
        self.feed = feed
        self.known = known
    }

    /// Looks at the next page of the pull.
    ///
    /// - Throws: ``CycleStop/feedReplaced(_:)`` where it belongs to another feed.
    func check(_ page: ChangeFeedResponse) async throws {
        if let other = page.changes.first(where: known.contradicts) {
            throw Self.replaced("has another change at \(other.id) than the one that this device has read there")
        }
        guard !isAssured, let anchor = known.anchor else { return }
        if page.hasMore, page.nextCursor < anchor.id { return }
        isAssured = true
        // What has no place may be what is looked for: the next pull tells.
        if page.changes.contains(where: { $0.id == anchor.id || !$0.hasPlace }) { return }
        if page.changes.contains(where: { $0.id > anchor.id }) {
            try await requireSuccessor(of: anchor, from: page)
        } else if !page.hasMore {
            try await requireLatest(atLeast: anchor.id)
        }
    }

    /// Feeds may leave out a change that a later one of the same record has overtaken, and no other.
    private func requireSuccessor(of anchor: FeedWindow.Entry, from first: ChangeFeedResponse) async throws {
        if anchor.entityId.isEmpty { return }
        var page = first
        var pages = 1
        while !page.changes.contains(where: { $0.id > anchor.id && $0.entityId == anchor.entityId }) {
            guard page.hasMore, pages < Self.successorPages else {
                throw Self.replaced("does not have the change \(anchor.id) any more, which this device has read")
            }
            page = try await feed.page(since: page.nextCursor)
            pages += 1
        }
    }

    private func requireLatest(atLeast place: Int64) async throws {
        let client = cycle.networkClient
        switch try await cycle.send({ try await client.getLatestCursor() }) {
        case .success(let latest) where latest < place:
            throw Self.ends(at: latest, before: place)
        case .success: return
        case .failure(let refusal): throw refusal.asStop
        }
    }

    /// Says that the feed ends before a place that this device has read.
    static func ends(at latest: Int64, before place: Int64) -> CycleStop {
        replaced("ends at \(latest), but this device has read it up to \(place)")
    }

    private static func replaced(_ fact: String) -> CycleStop {
        .feedReplaced("the server's change feed \(fact): the server was restored from a backup, or replaced")
    }
}
