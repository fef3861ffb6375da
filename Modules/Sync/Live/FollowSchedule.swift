import TrendyDomain

/// When a device that follows its server syncs next: a pure value.
///
/// It syncs at once, because a person has asked for that, then every interval, soon after local changes, and when it
/// has heard that the server has more; but not before the moment that the server's pause or the wait after lost
/// connections allows. What is heard decides on the moment alone: without it everything comes with the interval.
struct FollowSchedule {
    /// What the queue looks like from outside: it differs when somebody has queued something.
    struct QueueMark: Hashable {
        var queued = 0
        var sending = 0
        var merged = 0
    }

    private let interval: Double
    private var lastTry: Timestamp?
    private var lastMark = QueueMark()
    /// True after a try that has to be made again as soon as that is allowed.
    private var isOwed = false
    /// Whether the server has told of something since the last try.
    private var isHinted = false
    /// Whether the server was heard again since the last try, after it was not.
    private(set) var isReached = false

    init(interval: Double) {
        self.interval = interval
    }

    /// Notes that the server has something that this device lacks, or is gone perhaps.
    mutating func hint() { isHinted = true }

    /// Notes that the server was heard for the first time, or again: whoever waits after lost connections need not.
    mutating func reached() { isReached = true }

    /// Whether to sync now.
    ///
    /// - Parameters:
    ///   - held: Before this moment nothing may be tried; nil where nothing stands against it.
    ///   - mark: The queue as it is now.
    func isDue(at now: Timestamp, heldUntil held: Timestamp?, mark: QueueMark) -> Bool {
        guard let lastTry else { return true }
        if let held, now < held { return false }
        if isOwed || isHinted { return true }
        if mark != lastMark, mark.queued > 0 { return true }
        // A clock that was set back must not stop it.
        return now < lastTry || now.seconds(since: lastTry) >= interval
    }

    /// Notes that a sync begins. What is heard from now on may be news to it.
    mutating func began() { (isHinted, isReached) = (false, false) }

    /// Notes how a sync ended.
    ///
    /// - Parameters:
    ///   - hasMore: Whether the server has more than one sync takes.
    ///   - pending: How many changes waited when it had ended.
    ///   - mark: The queue as it is now; what was queued in between is still owed.
    mutating func synced(
        at now: Timestamp, heldUntil held: Timestamp?, hasMore: Bool = false, pending: Int, mark: QueueMark
    ) {
        lastTry = now
        lastMark = mark
        isOwed = held != nil || hasMore || mark.queued + mark.sending > pending
    }
}
