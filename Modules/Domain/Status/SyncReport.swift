/// What one sync did, and how it ended.
public struct SyncReport: Sendable, Hashable {
    /// Why a sync ended before its work was done.
    public enum Failure: String, Codable, Sendable, Hashable {
        /// The server cannot be reached, or failed.
        case unreachable
        /// What answers is not a server of this protocol.
        case notAServer = "not_a_server"
        /// The server asked for a pause.
        case rateLimited = "rate_limited"
        /// Nobody is signed in, or the sign-in has ended.
        case signedOut = "signed_out"
        /// The server does not accept the sign-in, and nothing says that it has ended: the outage of a sign-in service
        /// looks the same.
        case signInFailing = "sign_in_failing"
        /// The local store failed.
        case store
        /// The sync was cancelled.
        case cancelled
        /// The server broke the protocol.
        case `protocol`
        /// The quarantine is full, so no more changes are taken. A newer version may understand them, or a person
        /// discards them.
        case quarantineFull = "quarantine_full"
        /// Another process took the sync of this store over while this one stood still. It goes on there.
        case takenOver = "taken_over"
    }

    /// The engine's state when the sync had ended.
    public var state: SyncState
    /// Mutations that the server accepted.
    public var pushed: Int
    /// Records and deletions that came from the server.
    public var pulled: Int
    /// How many of them are records that a resync has brought.
    public var placed: Int
    /// Mutations that still wait.
    public var pending: Int
    /// Mutations on which the server failed. They wait, and are sent again.
    public var failing: Int
    /// Mutations that wait for the server's clock, because the server refuses ids that are ahead of it. They go by
    /// themselves.
    public var early: Int = 0
    /// The difference of this device's clock from the server's, as the server last told its time; nil if it has not.
    public var clockReading: ClockReading?
    /// Mutations that wait for the person.
    public var parked: Int
    /// How many of them the server had carried out, and has lost since: its data was restored or reset.
    public var lost: Int
    /// How many of those are deletions.
    public var lostDeletions: Int = 0
    /// How many of those move records to other parents; what is neither a deletion nor a move is a record.
    public var lostMoves: Int = 0
    /// How many of the conflicts are values that the server had and has lost.
    public var lostValues: Int = 0
    /// Conflicts that are listed.
    public var conflicts: Int
    /// Changes in the quarantine.
    public var quarantined: Int
    /// The server's head up to which everything was received.
    public var cursor: Int64
    /// Whether everything was taken anew.
    public var bootstrapped: Bool
    /// Whether the server has more changes than one sync takes. The next one goes on.
    public var hasMore: Bool
    /// Seconds until the server may be asked again.
    public var retryAfter: Double?
    /// No automatic sync should begin before this moment; nil if one may begin now.
    public var nextAttemptAt: Timestamp?
    /// Why it ended before its work was done; nil if it did not.
    public var failure: Failure?
    /// What went wrong, as a sentence. A sync that did its work has one too if the server failed on some changes.
    public var error: String?

    /// Makes a report of its parts.
    public init(
        state: SyncState = .idle, pushed: Int = 0, pulled: Int = 0, pending: Int = 0, failing: Int = 0, parked: Int = 0,
        conflicts: Int = 0, quarantined: Int = 0, cursor: Int64 = 0, bootstrapped: Bool = false,
        retryAfter: Double? = nil, failure: Failure? = nil, error: String? = nil,
        nextAttemptAt: Timestamp? = nil, hasMore: Bool = false, placed: Int = 0, lost: Int = 0
    ) {
        self.state = state
        self.pushed = pushed
        self.pulled = pulled
        self.placed = placed
        self.pending = pending
        self.failing = failing
        self.parked = parked
        self.lost = lost
        self.conflicts = conflicts
        self.quarantined = quarantined
        self.cursor = cursor
        self.bootstrapped = bootstrapped
        self.hasMore = hasMore
        self.retryAfter = retryAfter
        self.nextAttemptAt = nextAttemptAt
        self.failure = failure
        self.error = error
    }
}
