import TrendyDomain

/// When `trendy sync --watch` syncs next: a pure value.
///
/// It syncs at once, because a person has asked for that, then every interval, and soon after local changes;
/// but not before the moment that the server's pause or the wait after lost connections allows.
struct WatchSchedule {
    /// Seconds between syncs where nothing else is asked for.
    static let standardInterval = 60

    /// What the queue looks like from outside: it differs when somebody has queued something.
    typealias QueueMark = [MutationState.Name: Int]

    private let interval: Double
    private var lastTry: Timestamp?
    private var lastMark: QueueMark = [:]
    /// True after a try that has to be made again as soon as that is allowed.
    private var isOwed = false

    init(interval: Double) {
        self.interval = interval
    }

    /// Whether to sync now.
    ///
    /// - Parameters:
    ///   - held: Before this moment nothing may be tried; nil where nothing stands against it.
    ///   - mark: The queue as it is now.
    func isDue(at now: Timestamp, heldUntil held: Timestamp?, mark: QueueMark) -> Bool {
        guard let lastTry else { return true }
        if let held, now < held { return false }
        if isOwed { return true }
        if mark != lastMark, mark[.queued, default: 0] > 0 { return true }
        // A clock that was set back must not stop the watch.
        return now < lastTry || now.seconds(since: lastTry) >= interval
    }

    /// Notes how a sync ended.
    ///
    /// - Parameters:
    ///   - pending: How many changes waited when it had ended.
    ///   - mark: The queue as it is now; what was queued in between is still owed.
    mutating func synced(at now: Timestamp, heldUntil held: Timestamp?, pending: Int, mark: QueueMark) {
        lastTry = now
        lastMark = mark
        let waiting = mark[.queued, default: 0] + mark[.sending, default: 0]
        isOwed = held != nil || waiting > pending
    }
}
