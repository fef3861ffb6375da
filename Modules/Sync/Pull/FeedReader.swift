import TrendyDomain

/// Reads the server's feed page by page, and believes none that breaks its own order.
final class FeedReader {
    private let cycle: SyncCycle
    private var emptyPages = 0
    private var pages = 0
    /// How many changes a page is asked to have; nil before the first one.
    private var size: PageSize?

    /// The places that a feed can have. A number near the end of the range is a mistake: believed once, nothing would
    /// ever come after it.
    static let plausible: ClosedRange<Int64> = 0...(1 << 62)

    private static let emptyPageLimit = 3

    init(cycle: SyncCycle) {
        self.cycle = cycle
    }

    /// Whether a cycle may read on. It reads more pages than there are changes that the next one reads again, so that
    /// it comes on however little the server puts into a page.
    var hasPagesLeft: Bool {
        let configuration = cycle.configuration
        return pages < max(configuration.feedPagesPerCycle, configuration.feedOverlap + 2)
    }

    /// The next page after a cursor.
    func page(since cursor: Int64) async throws -> ChangeFeedResponse {
        if emptyPages > Self.emptyPageLimit { throw Self.endless(after: cursor) }
        pages += 1
        let client = cycle.networkClient
        let usual = cycle.configuration.changesPerPage
        var size = try self.size ?? PageSize("changes", usual: usual, smallest: 1, in: cycle)
        defer { self.size = size }
        while true {
            let limit = size.limit
            switch try await cycle.send(
                silence: .refusesIfTimedOut, { try await client.getChanges(since: cursor, limit: limit) })
            {
            case .success(var page):
                size.arrived()
                try check(page, since: cursor)
                page.changes = try page.changes.map { try $0.withUsablePlace() }
                emptyPages = page.changes.isEmpty ? emptyPages + 1 : 0
                if !page.hasMore { try size.reachedEnd(in: cycle) }
                return page
            case .failure(let refusal):
                guard try size.shrink(after: refusal, in: cycle) else { throw Self.stop(after: refusal, since: cursor) }
            }
        }
    }

    /// How a cycle ends that is refused a page; for good, where a later one would be refused it as well.
    private static func stop(after refusal: Refusal, since cursor: Int64) -> CycleStop {
        guard refusal.error.refusesFeedForGood else { return refusal.asStop }
        return .feedRefused("the server refuses the changes after \(cursor): \(refusal.message)")
    }

    private func check(_ page: ChangeFeedResponse, since cursor: Int64) throws {
        if page.nextCursor < cursor {
            throw Self.broken("went back from \(cursor) to \(page.nextCursor)", after: cursor)
        }
        if page.hasMore && page.nextCursor == cursor { throw Self.endless(after: cursor) }
        if !Self.plausible.contains(page.nextCursor) {
            throw Self.broken("goes on from \(page.nextCursor)", after: cursor)
        }
    }

    private static func endless(after cursor: Int64) -> CycleStop {
        broken("promises more and never gives it", after: cursor)
    }

    private static func broken(_ what: String, after cursor: Int64) -> CycleStop {
        .protocolBroken("the server's change feed \(what), when asked for the changes after \(cursor)")
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
