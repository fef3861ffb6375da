import TrendyDomain

/// Reads the feed, and finds out what the server has of the records that it names.
///
/// The feed says which records have changed. If the last entry of a record is not clearly newer than what the device
/// has, the record is fetched, and the fetched version counts.
struct RESTPull {
    let exchange: RESTExchange

    /// How many pages one exchange reads, beside those of which every entry was read before.
    private static let pageLimit = 20

    /// Tells the changes of the feed, as many as the answer can have. Returns whether the feed's end was reached.
    func run() async throws -> Bool {
        let before = exchange.cursor.feed
        var since = before.settled
        var isAssured = false
        // Pages that may be of another history. They are told when it is certain that they are not.
        var held: [ChangeFeedResponse] = []
        var (pages, newPages) = (0, 0)
        // What is read again can fill as many pages as there are entries, if the server's pages are small.
        while newPages < Self.pageLimit, pages < FeedMemory.limit + Self.pageLimit {
            let page = try await page(since: since)
            if let other = page.changes.first(where: before.contradicts) {
                throw APIError.epochChanged(
                    "its change feed has another change at \(other.id) than the one that was read there")
            }
            pages += 1
            since = page.nextCursor
            held.append(page)
            if !isAssured {
                isAssured = try await isSame(held.flatMap(\.changes), before, isWhole: !page.hasMore)
                // A gap of so many pages is taken for one that the server has made.
                if !isAssured, pages < Self.pageLimit { continue }
            }
            for page in held where try await take(page) { newPages += 1 }
            held = []
            guard page.hasMore else {
                try await requireWritten()
                return true
            }
            if exchange.isFull { break }
        }
        exchange.hasMore = true
        return false
    }

    /// Tells what a page says. Returns whether any of its entries was not read before.
    private func take(_ page: ChangeFeedResponse) async throws -> Bool {
        let known = exchange.cursor.feed.entries.count
        // An entry that was read before the write is no sign of the write.
        let isWrittenShown = page.changes.contains {
            $0.recordKey == exchange.cursor.written && !exchange.cursor.feed.contains($0)
        }
        try await tell(page)
        let isReadAgain = !page.changes.isEmpty && exchange.cursor.feed.entries.count == known
        exchange.cursor.feed.wasRead(to: page.nextCursor, at: exchange.wallClock.now(), isWhole: !page.hasMore)
        if isWrittenShown { exchange.cursor.written = nil }
        return !isReadAgain
    }

    private func page(since cursor: Int64) async throws -> ChangeFeedResponse {
        let client = exchange.records.client
        return try await exchange.part(of: "changes", usual: 500, smallest: 1) { page, _ in
            page.hasMore
        } _: {
            let page: ChangeFeedResponse
            do { page = try await client.getChanges(since: cursor, limit: $0) } catch let error as APIError {
                throw error.status == 410 ? .cursorExpired : error
            }
            guard page.nextCursor >= cursor, ChangeEntry.plausiblePlaces.contains(page.nextCursor),
                !page.hasMore || page.nextCursor > cursor
            else {
                throw APIError.malformedResponse("its change feed goes on from \(page.nextCursor) after \(cursor)")
            }
            return page
        }
    }

    /// Makes sure that the feed is still the one that was read. Returns whether that is certain.
    ///
    /// The feed of a restored or replaced server ends before the place that was read, or has other entries at places
    /// that were read. Every reading begins before the newest known entry, so its first entries tell.
    ///
    /// - Parameters:
    ///   - entries: What was read until now.
    ///   - isWhole: Whether the feed ends with them.
    private func isSame(_ entries: [ChangeEntry], _ before: FeedMemory, isWhole: Bool) async throws -> Bool {
        let newest = before.newest
        // An entry without a place may be the newest one that was read; the next reading tells.
        if newest == 0 || entries.contains(where: { $0.id == newest || !$0.isPlaced }) { return true }
        if entries.contains(where: { $0.id > newest }) {
            // Feeds may leave out an entry only if a later one of the same record follows.
            guard let anchor = before.anchor,
                !entries.contains(where: { $0.id > newest && FeedMemory.Entry.hash($0) == anchor.record })
            else { return true }
            if !isWhole { return false }
            throw APIError.epochChanged("its change feed does not have the change \(newest) any more, which was read")
        }
        if !isWhole { return false }
        let client = exchange.records.client
        let latest = try await exchange.ask { try await client.getLatestCursor() }.get()
        if latest >= newest { return true }
        throw APIError.epochChanged("its change feed ends at \(latest), and was read up to \(newest)")
    }

    /// A server that was restored just after it answered a write has neither the entry nor the record, or still has the
    /// record that was deleted. A server that lost only the entry has the version that was written, or no deleted record.
    private func requireWritten() async throws {
        guard let key = exchange.cursor.written, let kind = exchange.kind(key.entityType) else { return }
        guard case .success(let there) = try await exchange.look(kind, key.id) else { return }
        exchange.cursor.written = nil
        guard let known = try exchange.known(key) else { return }
        let isOlder =
            if let written = known.document {
                there?.updatedAt.flatMap { now in written.updatedAt.map { now < $0 } } ?? (there == nil)
            } else {
                there != nil
            }
        if !isOlder { return }
        throw APIError.epochChanged(
            "its change feed says nothing of a record that was written, and the record is as before")
    }

    // MARK: Entries

    /// Collects the versions in the feed of records that may have been changed by requests whose answers were lost.
    func notePassed(since place: Int64) async throws {
        var since = place
        for _ in 0..<Self.pageLimit {
            let page = try await page(since: since)
            notePassed(page)
            if !page.hasMore { return }
            since = page.nextCursor
        }
    }

    private func notePassed(_ page: ChangeFeedResponse) {
        for entry in page.changes where exchange.doubtfulRecords.contains(entry.recordKey) {
            guard let kind = exchange.kind(entry.entityType), let version = shown(entry, kind) else { continue }
            exchange.passed[entry.recordKey, default: []].append(version)
        }
    }

    /// Tells what the new entries of a page mean. If a request fails on the way, what was told is kept.
    private func tell(_ page: ChangeFeedResponse) async throws {
        let memory = exchange.cursor.feed
        var done: [ChangeEntry] = []
        defer { exchange.cursor.feed.insert(done, seenAt: exchange.wallClock.now()) }
        notePassed(page)
        var entries: [RecordKey: [ChangeEntry]] = [:]
        for entry in page.changes.map(\.placed) where !memory.contains(entry) {
            if exchange.kind(entry.entityType) == nil || entry.entityId.isEmpty {
                handOn(entry)
                done.append(entry)
            } else {
                entries[entry.recordKey, default: []].append(entry)
            }
        }
        for (kind, keys) in exchange.byKind(entries.keys) {
            let known = try exchange.known(kind.entityType, keys.map(\.id))
            let last = keys.compactMap { key in entries[key]?.max { $0.id < $1.id } }
            for entry in last.sorted(by: { $0.id < $1.id }) {
                let key = entry.recordKey
                let version = exchange.observed[key] ?? known[entry.entityId]
                try await tell(kind, entry, version, isLate: entry.id <= memory.newest)
                let all = entries[key] ?? []
                // What belonged to one that was made again has gone with its deletion.
                if all.contains(where: { $0.operation == .delete }) { exchange.cursor.emptied.append(key) }
                done += all
            }
        }
    }

    /// Tells what the last of the new entries of a record means. The entry is late if later places were read before.
    private func tell(_ kind: RESTKind, _ entry: ChangeEntry, _ known: KnownVersion?, isLate: Bool) async throws {
        let id = entry.entityId
        if entry.operation == .delete {
            if let known, known.document == nil { return }
            if !isLate, isNewer(entry.deletedAt ?? entry.createdAt, known) {
                return exchange.tell(kind, id, nil, over: known)
            }
        } else if let shown = shown(entry, kind) {
            if kind.isSame(known?.document, shown) { return }
            // Its parent was deleted, so this version may be older than that, and deleted with the parent.
            let isOrphan = try kind.parents(of: shown).contains { try exchange.isGone($0.key) }
            if !isLate, !isOrphan, isNewer(shown.updatedAt, known) {
                return exchange.tell(kind, id, shown, over: known)
            }
        }
        switch try await exchange.look(kind, id) {
        case .success(let now): exchange.tell(kind, id, now, over: known)
        // A record that cannot be read, or may not be read, does not stop the feed.
        case .failure where entry.operation == .delete: exchange.tell(kind, id, nil, over: known)
        case .failure: handOn(entry)
        }
    }

    /// The record of an entry in canonical form; nil where it cannot be used.
    private func shown(_ entry: ChangeEntry, _ kind: RESTKind) -> RecordDocument? {
        guard entry.operation == .create || entry.operation == .update,
            let data = entry.data?.objectValue, data["id"] == .string(entry.entityId)
        else { return nil }
        return kind.canonical(data)
    }

    /// Whether a version or deletion of this time is clearly newer than what the device has. A version of a record
    /// that the device knows as deleted is never clear.
    private func isNewer(_ time: Timestamp?, _ known: KnownVersion?) -> Bool {
        guard let known else { return true }
        guard let then = known.document?.updatedAt, let time else { return false }
        return time > then
    }

    private func handOn(_ entry: ChangeEntry) {
        let id = entry.entityId.isEmpty ? "change-\(entry.id)-\(FeedMemory.Entry.hash(entry))" : entry.entityId
        exchange.handOn(entry.entityType, id, entry.data ?? .null)
    }
}

extension ChangeEntry {
    /// The entry. If its place is one that no feed can have, it has neither place nor record, and its content is kept
    /// whole.
    fileprivate var placed: ChangeEntry {
        if isPlaced { return self }
        let whole = entityType.rawValue.isEmpty ? data : (try? WireCoding.fields(of: self)).map { .object($0) }
        return ChangeEntry(
            id: 0, entityType: "", operation: ChangeOperation(rawValue: ""), entityId: "", data: whole)
    }
}
