import TrendyDomain

/// The newest entries of the feed that were read, so that its youngest stretch can be read again.
///
/// Deployed servers give an entry its place before its transaction commits, so an entry can appear behind others that
/// were read already. What is younger than a settling time is therefore read again, and these entries tell what of it
/// is new. They also tell whether it is the same feed yet.
struct FeedMemory: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        var place: Int64
        var record: UInt32
        /// In milliseconds, as the server says; nil where it does not.
        var createdAt: Int64?
        /// In seconds, by this device's clock.
        var seenAt: Int64
        var isDeletion: Bool?

        init(_ entry: ChangeEntry, seenAt now: Timestamp) {
            place = entry.id
            record = Self.hash(entry)
            createdAt = entry.createdAt?.milliseconds
            seenAt = now.milliseconds / 1_000
            isDeletion = entry.operation == .delete ? true : nil
        }

        init(place: Int64, record: UInt32, seenAt now: Timestamp) {
            self.place = place
            self.record = record
            seenAt = now.milliseconds / 1_000
        }

        /// One that cannot be read is known by what it holds.
        static func hash(_ entry: ChangeEntry) -> UInt32 {
            guard entry.entityId.isEmpty else { return shortHash(entry.entityType.rawValue + entry.entityId) }
            return (try? WireCoding.encode(entry.data ?? .null)).map { shortHash(String(decoding: $0, as: UTF8.self)) }
                ?? 0
        }

        private enum CodingKeys: String, CodingKey {
            case place = "p"
            case record = "r"
            case createdAt = "c"
            case seenAt = "s"
            case isDeletion = "d"
        }
    }

    /// Entries with this place and those before it are settled: nothing will appear there any more.
    private(set) var settled: Int64
    /// The newest place that was read, or that the feed had when a snapshot began.
    private(set) var newest: Int64
    /// In the order of their places.
    private(set) var entries: [Entry] = []

    /// A feed of which nothing was read, and whose newest place is known.
    init(newest: Int64) {
        self.newest = newest
        settled = max(0, newest - Self.overlap)
    }

    /// So many entries are read again at most.
    private static let limit = 500
    /// So many places before the newest one are read again where nothing is known of them.
    private static let overlap: Int64 = 100
    /// For so many seconds an entry is read again.
    private static let settlingTime: Int64 = 60

    func contains(_ entry: ChangeEntry) -> Bool {
        let hash = Entry.hash(entry)
        return entries.contains { $0.place == entry.id && $0.record == hash }
    }

    /// Whether another entry was read at the place of this one.
    func contradicts(_ entry: ChangeEntry) -> Bool {
        guard entry.isPlaced, !entry.entityId.isEmpty,
            let known = entries.first(where: { $0.place == entry.id && $0.isReadable })
        else { return false }
        if known.record != Entry.hash(entry) { return true }
        guard let then = known.createdAt, let now = entry.createdAt?.milliseconds else { return false }
        return then != now
    }

    /// The newest entry that was read; nil where the newest place is known alone.
    var anchor: Entry? { entries.last { $0.place == newest } }

    /// Whether an entry stands behind one of its record that was read before, or has appeared late.
    func isLate(_ entry: ChangeEntry) -> Bool { entry.id <= newest }

    /// Whether the last of the entries of a record, as far as they are remembered, says that it was deleted.
    func endsDeleted(_ key: RecordKey) -> Bool {
        let hash = shortHash(key.entityType.rawValue + key.entityId)
        return entries.last { $0.record == hash }?.isDeletion == true
    }

    mutating func insert(_ entry: ChangeEntry, seenAt now: Timestamp) {
        let place = entries.lastIndex { $0.place <= entry.id }.map { $0 + 1 } ?? 0
        entries.insert(Entry(entry, seenAt: now), at: place)
    }

    /// Notes that the feed was read up to a place, and lets go of what has settled.
    ///
    /// - Parameter isWhole: Whether that is the feed's end. Before it nothing settles by its age.
    mutating func wasRead(to place: Int64, at now: Timestamp, isWhole: Bool) {
        newest = max(newest, place, entries.last?.place ?? 0)
        let old = now.milliseconds / 1_000 - Self.settlingTime
        // The newest one stays: every reading begins before it, and sees whether it is still there.
        while let first = entries.first, first.place < newest,
            entries.count > Self.limit || isWhole && first.seenAt < old
        {
            settled = max(settled, first.place)
            entries.removeFirst()
        }
        if entries.isEmpty, isWhole { settled = max(settled, newest - Self.overlap) }
    }

    private enum CodingKeys: String, CodingKey {
        case settled = "s"
        case newest = "n"
        case entries = "w"
    }
}

extension FeedMemory.Entry {
    fileprivate var isReadable: Bool { place > 0 }
}
