import TrendyDomain

/// Reads the server's feed page by page, and believes none that breaks its own order.
final class FeedReader {
    private let cycle: SyncCycle
    private var emptyPages = 0
    private var pages = 0
    /// How many changes a page is asked to have: fewer, to the end of the cycle, where an answer was too large.
    private var pageSize: Int

    /// The places that a feed can have. A number near the end of the range is a mistake: believed once, nothing would
    /// ever come after it.
    static let plausible: ClosedRange<Int64> = 0...(1 << 62)

    private static let emptyPageLimit = 3
    private static let endless = CycleStop.protocolBroken("the server's change feed promises more and never gives it")

    init(cycle: SyncCycle) {
        self.cycle = cycle
        pageSize = cycle.configuration.changesPerPage
    }

    /// Whether a cycle may read on. It reads more pages than there are changes that the next one reads again, so that
    /// it comes on however little the server puts into a page.
    var hasPagesLeft: Bool {
        let configuration = cycle.configuration
        return pages < max(configuration.feedPagesPerCycle, configuration.feedOverlap + 2)
    }

    /// The next page after a cursor.
    func page(since cursor: Int64) async throws -> ChangeFeedResponse {
        if emptyPages > Self.emptyPageLimit { throw Self.endless }
        pages += 1
        let client = cycle.networkClient
        while true {
            let limit = pageSize
            switch try await cycle.send({ try await client.getChanges(since: cursor, limit: limit) }) {
            case .success(var page):
                try check(page, since: cursor)
                page.changes = try page.changes.map { try $0.withUsablePlace() }
                emptyPages = page.changes.isEmpty ? emptyPages + 1 : 0
                return page
            case .failure(let refusal) where refusal.isTooLarge && pageSize > 1: pageSize /= 2
            case .failure(let refusal): throw refusal.asStop
            }
        }
    }

    private func check(_ page: ChangeFeedResponse, since cursor: Int64) throws {
        if page.nextCursor < cursor {
            throw CycleStop.protocolBroken("the server's change feed went back from \(cursor) to \(page.nextCursor)")
        }
        if page.hasMore && page.nextCursor == cursor { throw Self.endless }
        if !Self.plausible.contains(page.nextCursor) {
            throw CycleStop.protocolBroken("the server's change feed goes on from \(page.nextCursor)")
        }
    }
}

extension ChangeEntry {
    /// Whether it says where in the feed it stands.
    var hasPlace: Bool { id > 0 }

    /// The entry, and no place where it names one that no feed can have.
    fileprivate func withUsablePlace() throws -> ChangeEntry {
        if hasPlace, FeedReader.plausible.contains(id) { return self }
        let whole = entityType.rawValue.isEmpty ? data : try WireCoding.decode(JSONValue.self, from: encoded(self))
        return ChangeEntry(
            id: 0, entityType: "", operation: ChangeOperation(rawValue: ""), entityId: "", data: whole)
    }
}
