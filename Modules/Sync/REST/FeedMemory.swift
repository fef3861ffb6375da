import TrendyDomain

/// The newest entries of the feed that were read.
///
/// Deployed servers give an entry its place before its transaction commits, so an entry can appear behind others that
/// were read already. The gateway therefore reads entries that are younger than a settling time again, and tells by
/// this memory which of them are new. The memory also tells whether it is still the same feed.
struct FeedMemory: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        var place: Int64
        /// A number for the record, or for the content of an entry that cannot be read.
        var record: UInt32
        /// In milliseconds, as the server says; nil where it does not.
        var createdAt: Int64?
        /// In seconds, by this device's clock.
        var seenAt: Int64

        static func hash(_ entry: ChangeEntry) -> UInt32 {
            if !entry.entityId.isEmpty { return shortHash(entry.entityType.rawValue + entry.entityId) }
            return (entry.data ?? .null).shortHash
        }
    }

    /// The feed is settled up to this place: no new entry appears there or before it.
    private(set) var settled: Int64
    /// The newest place that was read, or that the feed had when a snapshot began.
    private(set) var newest: Int64
    private(set) var entries: [Entry] = []

    /// Begins the memory of a feed of which only the newest place is known.
    init(newest: Int64) {
        self.newest = newest
        settled = max(0, newest - Self.overlap)
    }

    /// How many entries are read again at most.
    static let limit = 500
    /// How many places before the newest one are read again if nothing is known of them.
    private static let overlap: Int64 = 100
    /// For how many seconds an entry is read again.
    private static let settlingTime: Int64 = 60

    /// The newest entry that was read; nil if only the newest place is known.
    var anchor: Entry? { entries.last { $0.place == newest } }

    func contains(_ entry: ChangeEntry) -> Bool {
        entries.contains { $0.place == entry.id && $0.record == Entry.hash(entry) }
    }

    /// Whether another entry was read at the place of this one.
    func contradicts(_ entry: ChangeEntry) -> Bool {
        guard entry.isPlaced, !entry.entityId.isEmpty, let known = entries.first(where: { $0.place == entry.id })
        else { return false }
        if known.record != Entry.hash(entry) { return true }
        guard let then = known.createdAt, let now = entry.createdAt?.milliseconds else { return false }
        return then != now
    }

    mutating func insert(_ new: [ChangeEntry], seenAt now: Timestamp) {
        entries += new.map {
            Entry(
                place: $0.id, record: Entry.hash($0), createdAt: $0.createdAt?.milliseconds,
                seenAt: now.milliseconds / 1_000)
        }
        entries.sort { $0.place < $1.place }
    }

    /// Notes that the feed was read up to a place, and forgets what has settled. Before the feed's end nothing
    /// settles by its age.
    mutating func wasRead(to place: Int64, at now: Timestamp, isWhole: Bool) {
        newest = max(newest, place, entries.last?.place ?? 0)
        let old = now.milliseconds / 1_000 - Self.settlingTime
        // The newest entry stays, because every reading begins before it and checks that it is still there.
        let gone = entries.indices.prefix { index in
            let (entry, left) = (entries[index], entries.count - index)
            return entry.place < newest && (left > Self.limit || isWhole && entry.seenAt < old)
        }
        settled = max(settled, gone.last.map { entries[$0].place } ?? 0)
        entries.removeFirst(gone.count)
        if entries.isEmpty, isWhole { settled = max(settled, newest - Self.overlap) }
    }
}

extension ChangeEntry {
    /// A place near the end of the range is a mistake. If it were believed, no later change would ever come after it.
    static let plausiblePlaces: ClosedRange<Int64> = 0...(1 << 62)

    /// Whether it has a plausible place in the feed.
    var isPlaced: Bool { id > 0 && Self.plausiblePlaces.contains(id) }
}

extension JSONValue {
    /// A number for the content.
    var shortHash: UInt32 {
        (try? WireCoding.encode(self)).map { TrendySync.shortHash(String(decoding: $0, as: UTF8.self)) } ?? 0
    }
}
