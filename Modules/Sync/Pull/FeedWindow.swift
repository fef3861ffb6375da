import TrendyDomain

/// The newest changes that were applied, so that the youngest stretch of a feed can be read again.
///
/// Servers assign feed ids before they commit, so that a slow transaction can appear behind the cursor. The
/// engine therefore reads again what is younger than a settling time, and knows by this window what of it
/// has been applied, and whether a late entry is older than what its record shows already.
struct FeedWindow: Codable, Equatable {
    struct Entry: Codable, Equatable {
        var id: Int64
        var entityId: String
        /// When it was first seen here.
        var seenAt: Timestamp
        /// When the server says that it happened.
        var createdAt: Timestamp?
    }

    /// In ascending order of the ids.
    private(set) var entries: [Entry] = []
    /// The feed before and with this id is settled: nothing will appear there any more.
    private(set) var settled: Int64

    /// What has a smaller id, or this one, was in the listings of a bootstrap, unless it appears late.
    private(set) var listedUntil: Int64?
    /// True from a bootstrap on until a pull has read the feed to its end: the listings may have shown what is there
    /// to be read, or something older.
    private(set) var followsListing: Bool?

    init(settled: Int64) {
        self.settled = settled
    }

    /// The window that the store remembers.
    static func stored(in store: any DataStoreProtocol) throws -> FeedWindow {
        if let window = try store.value(FeedWindow.self, for: MetadataKey.feedWindow) { return window }
        return FeedWindow(settled: try store.cursor() ?? 0)
    }

    /// The window after a bootstrap that began at a cursor: the stretch before it may still be joined by a
    /// slow transaction that no listing has shown.
    init(listedUntil cursor: Int64, overlap: Int) {
        settled = max(0, cursor - Int64(overlap))
        listedUntil = cursor
        followsListing = true
    }

    /// The window after everything up to a cursor was passed over.
    init(passedUntil cursor: Int64, at now: Timestamp) {
        settled = max(0, cursor - 1)
        if cursor > 0 { entries = [Entry(id: cursor, entityId: "", seenAt: now)] }
    }

    /// The newest place that the feed is known to have, for as long as it is the same feed; nil where none is known.
    ///
    /// Its record is known only where the entry was read.
    var anchor: Entry? {
        if let newest = entries.last { return newest }
        let newest = max(settled, listedUntil ?? 0)
        return newest > 0 ? Entry(id: newest, entityId: "", seenAt: Timestamp(milliseconds: 0)) : nil
    }

    /// Whether a change stands at a place where another one was read.
    func contradicts(_ change: ChangeEntry) -> Bool {
        guard let known = entries.first(where: { $0.id == change.id }), !known.entityId.isEmpty,
            !change.entityId.isEmpty
        else { return false }
        if known.entityId != change.entityId { return true }
        guard let then = known.createdAt, let now = change.createdAt else { return false }
        return then != now
    }

    /// Whether a listing may have shown a change, or a later one, already.
    func mayBeListed(_ change: ChangeEntry) -> Bool {
        listedUntil.map { change.id <= $0 } ?? false
    }

    /// Notes that the feed has been read to its end.
    mutating func reachedEnd() {
        followsListing = nil
    }

    func contains(_ id: Int64) -> Bool {
        entries.contains { $0.id == id }
    }

    /// Whether a later change of the same record has been applied already.
    func hasLater(than change: ChangeEntry) -> Bool {
        entries.contains { $0.id > change.id && $0.entityId == change.entityId }
    }

    /// Notes a change; one that was read before keeps the time of that, and may show another record by now.
    mutating func insert(_ change: ChangeEntry, seenAt: Timestamp) {
        if let known = entries.firstIndex(where: { $0.id == change.id }) {
            entries[known].entityId = change.entityId
            entries[known].createdAt = change.createdAt
            return
        }
        let entry = Entry(id: change.id, entityId: change.entityId, seenAt: seenAt, createdAt: change.createdAt)
        let place = entries.lastIndex { $0.id < change.id }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
    }

    /// Lets go of what has settled: seen before the moment, or more than the limit allows.
    ///
    /// The newest one stays, so that every pull begins before it and hears whether it is still there.
    mutating func settle(seenBefore moment: Timestamp?, limit: Int) {
        let surplus = max(0, entries.count - limit)
        let old = moment.map { moment in entries.prefix { $0.seenAt < moment }.count } ?? 0
        let gone = min(max(surplus, old), entries.count - 1)
        guard gone > 0 else { return }
        settled = max(settled, entries[gone - 1].id)
        entries.removeFirst(gone)
    }
}
