/// Selects events for a person to read; every condition that is set must hold.
public struct EventFilter: Sendable, Hashable {
    /// Which end comes first.
    public enum Order: Sendable, Hashable {
        /// By the time at which they began: the newest first, or the oldest.
        case newestFirst, oldestFirst
    }

    /// Of one of these types; nil for any.
    public var eventTypeIds: Set<String>?
    /// At or after this moment.
    public var since: Timestamp?
    /// Before this moment.
    public var until: Timestamp?
    /// Only events of whole days that began before the day of this moment and end on it or later: what still goes on
    /// then. The days are those of ``byDays(in:)``, else those of UTC.
    public var lastingAt: Timestamp?
    /// With this text in notes, original title or location name, whatever its case; blanks around it do not count.
    public var searchText: String?
    /// Only events in this state of syncing; none for all.
    public var syncStatus: SyncStatus?
    /// Where the days begin that stand for the moments above, for all-day events; nil where their moments count, too.
    public private(set) var dayStarts: DayStarts?
    /// Which event comes first.
    public var order: Order
    /// At most this many; nil for all.
    public var limit: Int?

    /// Makes a filter; what is left out restricts nothing.
    public init(
        eventTypeIds: Set<String>? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
        lastingAt: Timestamp? = nil, searchText: String? = nil, syncStatus: SyncStatus? = nil,
        order: Order = .newestFirst, limit: Int? = nil
    ) {
        self.eventTypeIds = eventTypeIds
        self.since = since
        self.until = until
        self.lastingAt = lastingAt
        self.searchText = searchText
        self.syncStatus = syncStatus
        self.order = order
        self.limit = limit
    }

    mutating func setDayStarts(_ starts: DayStarts) { dayStarts = starts }
}
