import TrendyDomain

/// Reads the feed and finds out what has become of the records that it names.
///
/// The feed says which records have changed. Where the last entry of a record is not unmistakably newer than what the
/// device has, the record is fetched, and what is there now is the truth.
struct RESTPull {
    let exchange: RESTExchange

    private static let usualPage = 500
    /// So many pages are read in one exchange.
    private static let pageLimit = 20
    /// So many pages are looked through for an entry that has taken the place of the newest one that was read.
    private static let successorPages = 20
    /// A place near the end of the range is a mistake: believed once, nothing would ever come after it.
    static let plausible: ClosedRange<Int64> = 0...(1 << 62)

    /// Tells the changes of the feed, as many as the answer can have. Answers whether the feed's end was reached.
    func run() async throws -> Bool {
        let before = exchange.cursor.feed
        var since = before.settled
        var isAssured = false
        for _ in 0..<Self.pageLimit {
            let page = try await self.page(since: since)
            if !isAssured { isAssured = try await check(page, against: before) }
            try await tell(page, whole: !page.hasMore)
            guard page.hasMore else { return true }
            if exchange.isFull { break }
            since = page.nextCursor
        }
        exchange.hasMore = true
        return false
    }

    // MARK: Pages

    private func page(since cursor: Int64) async throws -> ChangeFeedResponse {
        var size = RESTSize("changes", usual: Self.usualPage, smallest: 1, exchange.cursor)
        let client = exchange.records.client
        while true {
            let limit = size.limit
            let answer: Result<ChangeFeedResponse, APIError>
            do {
                answer = try await exchange.ask { try await client.getChanges(since: cursor, limit: limit) }
            } catch APIError.timeout {
                answer = .failure(.timeout)
            }
            switch answer {
            case .success(let page):
                size.arrived(&exchange.cursor)
                try Self.check(page, since: cursor)
                return page
            case .failure(let error):
                guard size.shrink(after: error, &exchange.cursor) else { throw error }
            }
        }
    }

    private static func check(_ page: ChangeFeedResponse, since cursor: Int64) throws {
        guard page.nextCursor >= cursor, plausible.contains(page.nextCursor), !page.hasMore || page.nextCursor > cursor
        else {
            throw APIError.malformedResponse("its change feed goes on from \(page.nextCursor) after \(cursor)")
        }
    }

    // MARK: Is it the same feed?

    /// Makes sure that a feed is still the one that was read. Answers whether that is certain.
    ///
    /// A server that was restored, or replaced, has a feed that ends before the place that was read, or other entries at
    /// places that were read. Every reading begins before the newest entry that is known, so that its first page tells.
    private func check(_ page: ChangeFeedResponse, against before: FeedMemory) async throws -> Bool {
        if let other = page.changes.first(where: before.contradicts) {
            throw APIError.epochChanged("has another change at \(other.id) than the one that was read there")
        }
        if before.newest == 0 { return true }
        if page.hasMore, page.nextCursor < before.newest { return false }
        // What has no place may be what is looked for: the next reading tells.
        if page.changes.contains(where: { $0.id == before.newest || !$0.isPlaced }) { return true }
        guard page.changes.contains(where: { $0.id > before.newest }) else {
            let client = exchange.records.client
            let latest = try await exchange.ask { try await client.getLatestCursor() }.get()
            if latest >= before.newest { return true }
            throw APIError.epochChanged("ends at \(latest), and was read up to \(before.newest)")
        }
        if let anchor = before.anchor { try await requireSuccessor(of: anchor, from: page) }
        return true
    }

    /// Feeds may leave out an entry that a later one of the same record has overtaken, and no other.
    private func requireSuccessor(of anchor: FeedMemory.Entry, from first: ChangeFeedResponse) async throws {
        var page = first
        for _ in 0..<Self.successorPages {
            let follows = page.changes.contains {
                $0.id > anchor.place && FeedMemory.Entry.hash($0) == anchor.record
            }
            if follows { return }
            guard page.hasMore else { break }
            page = try await self.page(since: page.nextCursor)
        }
        throw APIError.epochChanged("does not have the change \(anchor.place) any more, which was read")
    }

    // MARK: Entries

    /// Tells what the new entries of a page mean. What was told of it stays told where a request fails on the way.
    private func tell(_ page: ChangeFeedResponse, whole isWhole: Bool) async throws {
        let memory = exchange.cursor.feed
        let now = exchange.wallClock.now()
        let fresh = page.changes.map(\.placed).filter { !memory.contains($0) }
        var entries: [RecordKey: [ChangeEntry]] = [:]
        for entry in fresh {
            guard RESTKind(entry.entityType, in: exchange.schema) != nil, !entry.entityId.isEmpty else {
                handOn(entry)
                exchange.cursor.feed.insert(entry, seenAt: now)
                continue
            }
            entries[RecordKey(entry), default: []].append(entry)
        }
        // Parents before children; the records of a kind as the feed has them.
        let keys = entries.keys.sorted {
            let (left, right) = (exchange.schema.rank(of: $0.entityType), exchange.schema.rank(of: $1.entityType))
            return left != right ? left < right : entries[$0]?.last?.id ?? 0 < entries[$1]?.last?.id ?? 0
        }
        let ids = Dictionary(grouping: keys, by: \.entityType).mapValues { $0.map(\.entityId) }
        let known = try ids.reduce(into: [:]) { $0[$1.key] = try exchange.known($1.key, $1.value) }
        var unconfirmed: [(key: RecordKey, kind: RESTKind)] = []
        for key in keys {
            guard let kind = RESTKind(key.entityType, in: exchange.schema), let ofRecord = entries[key] else {
                continue
            }
            let version = known[key.entityType]?[key.entityId]
            if try await tell(kind, key, ofRecord, version, memory) {
                for entry in ofRecord { exchange.cursor.feed.insert(entry, seenAt: now) }
            } else {
                unconfirmed.append((key, kind))
            }
        }
        try await exchange.confirmAPI()
        for (key, kind) in unconfirmed {
            exchange.observe(kind, key.entityId, nil, over: known[key.entityType]?[key.entityId])
            for entry in entries[key] ?? [] { exchange.cursor.feed.insert(entry, seenAt: now) }
        }
        exchange.cursor.feed.wasRead(to: page.nextCursor, at: now, isWhole: isWhole)
    }

    /// Tells what the new entries of a record mean. Answers false where the server has no such record, and it is still to be
    /// confirmed that it was the server who said so.
    private func tell(
        _ kind: RESTKind, _ key: RecordKey, _ entries: [ChangeEntry], _ known: KnownVersion?, _ memory: FeedMemory
    ) async throws -> Bool {
        guard let last = entries.max(by: { $0.id < $1.id }) else { return true }
        if last.operation == .delete {
            if let known, known.document == nil { return true }
            if isNewerDeletion(last, known, memory) {
                exchange.observe(kind, key.entityId, nil, over: known)
                return true
            }
        } else if let shown = shown(last, kind) {
            if let document = known?.document, kind.isSame(document, shown) { return true }
            if isNewer(shown, last, known, memory) {
                exchange.observe(kind, key.entityId, shown, over: known)
                return true
            }
        }
        switch try await exchange.look(kind, key.entityId) {
        case .success(.some(let document)):
            if let known = known?.document, kind.isSame(known, document) { return true }
            exchange.observe(kind, key.entityId, document, over: known)
        case .success(.none):
            if let known, known.document == nil { return true }
            return false
        case .failure:
            // A record that cannot be read, or may not be, does not stop the feed.
            handOn(last)
        }
        return true
    }

    /// The record of an entry in canonical form; nil where it cannot be used.
    private func shown(_ entry: ChangeEntry, _ kind: RESTKind) -> RecordDocument? {
        guard entry.operation == .create || entry.operation == .update,
            let data = entry.data?.objectValue, data["id"] == .string(entry.entityId)
        else { return nil }
        return kind.canonical(data)
    }

    private func isNewer(
        _ shown: RecordDocument, _ entry: ChangeEntry, _ known: KnownVersion?, _ memory: FeedMemory
    ) -> Bool {
        if memory.isLate(entry) { return false }
        // Nobody knows whether what is shown is from before the deletion.
        guard let known else { return true }
        guard let then = known.document?.updatedAt, let now = shown.updatedAt else { return false }
        return now > then
    }

    private func isNewerDeletion(_ entry: ChangeEntry, _ known: KnownVersion?, _ memory: FeedMemory) -> Bool {
        // What is not here was deleted, or is not here yet: a tombstone that comes too late does no harm.
        guard let known else { return true }
        if memory.isLate(entry) { return false }
        guard let then = known.document?.updatedAt, let end = entry.deletedAt ?? entry.createdAt else { return false }
        return end > then
    }

    private func handOn(_ entry: ChangeEntry) {
        let id = entry.entityId.isEmpty ? "change-\(entry.id)-\(FeedMemory.Entry.hash(entry))" : entry.entityId
        if entry.operation == .delete, let kind = RESTKind(entry.entityType, in: exchange.schema) {
            exchange.observe(kind, id, nil, over: nil)
            return
        }
        exchange.handOn(entry.entityType, id, entry.data ?? .null)
    }
}

extension ChangeEntry {
    /// Whether it says where in the feed it stands.
    var isPlaced: Bool { id > 0 && RESTPull.plausible.contains(id) }

    /// The entry; without its place, and as nothing but its content, where it names one that no feed can have.
    fileprivate var placed: ChangeEntry {
        if isPlaced { return self }
        let whole = entityType.rawValue.isEmpty ? data : (try? WireCoding.fields(of: self)).map { .object($0) }
        return ChangeEntry(
            id: 0, entityType: "", operation: ChangeOperation(rawValue: ""), entityId: "", data: whole)
    }
}
