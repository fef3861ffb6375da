import Synchronization
import TrendyDomain

/// Tells the devices that watch an account of its newest head; no HTTP inside.
///
/// It is told of each commit of this process, and of those of others by hints or by reading the heads. It keeps nothing
/// for a device but the newest head. A head that is not told costs a device time, never data.
public final class LiveHub: Sendable {
    /// Devices that may watch one account at a time.
    public static let mostWatches = 100
    /// Commits of an account within that time of the last telling are told together.
    static let quietTime = Duration.milliseconds(20)
    /// How often a device hears something, in seconds.
    static let heartbeat = 20
    /// How often the heads of watched accounts are read while hints of other processes are heard, in seconds.
    private static let sweepAmongHints = 15

    private struct Account {
        var mailboxes: [Int: LiveMailbox] = [:]
        var told: ServerHead?
        var toldAt: Duration?
        /// Whether what was not told at once is told when the quiet time is over.
        var isDeferred = false
    }

    private struct State {
        var isOpen = true
        var next = 0
        var accounts: [String: Account] = [:]
        var slots: [Int: Int] = [:]
        var pacer: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Duration
    private let hints: (any HeadHints)?
    private let readHeads: @Sendable (Set<String>) async throws -> [String: ServerHead]

    /// Makes a hub that nobody watches yet.
    ///
    /// - Parameters:
    ///   - hints: What other processes on the same data tell; nil where nobody tells anything.
    ///   - clock: Waits for the next heartbeat, and until commits are told together.
    ///   - readHeads: Reads where the histories of accounts stand. It waits away from the threads of tasks.
    init<WaitingClock: Clock<Duration>>(
        hints: (any HeadHints)? = nil, clock: WaitingClock = ContinuousClock(),
        readHeads: @escaping @Sendable (Set<String>) async throws -> [String: ServerHead] = { _ in [:] }
    ) {
        self.hints = hints
        self.clock = clock
        let start = clock.now
        now = { start.duration(to: clock.now) }
        self.readHeads = readHeads
        hints?.listen { [weak self] userId, head in self?.heard(userId, head) }
    }

    deinit { state.withLock { $0.pacer?.cancel() } }

    /// How many devices watch.
    public var watchCount: Int { state.withLock { $0.slots.count } }

    var watchedAccounts: Set<String> { state.withLock { Set($0.accounts.keys) } }

    /// Begins to watch an account.
    ///
    /// - Parameter onStall: Called when the device does not take what it is told.
    /// - Throws: ``ServerProblem`` of kind `unavailable` where too many watch the account, or the server is about to stop.
    func watch(_ userId: String, onStall: @escaping @Sendable () -> Void = {}) throws -> LiveWatch {
        try state.withLock { state in
            guard state.isOpen else {
                throw ServerProblem(.unavailable, "the server is about to stop; try again", retryAfter: 5)
            }
            guard state.accounts[userId]?.mailboxes.count ?? 0 < Self.mostWatches else {
                // Not 429: such a client would send nothing else for a while either.
                throw ServerProblem(
                    .unavailable, "\(Self.mostWatches) devices watch this account already; sync now and then instead",
                    retryAfter: 300)
            }
            state.next += 1
            let (number, slot) = (state.next, state.next % Self.heartbeat)
            let mailbox = LiveMailbox(onStall: onStall)
            state.accounts[userId, default: Account()].mailboxes[number] = mailbox
            state.slots[number] = slot
            if state.pacer == nil { state.pacer = pacer() }
            return LiveWatch(userId: userId, slot: slot, mailbox: mailbox) { [weak self] in
                self?.forget(number, of: userId)
            }
        }
    }

    private func forget(_ number: Int, of userId: String) {
        state.withLock { state in
            state.slots[number] = nil
            state.accounts[userId]?.mailboxes[number] = nil
            if state.accounts[userId]?.mailboxes.isEmpty == true { state.accounts[userId] = nil }
            guard state.slots.isEmpty else { return }
            state.pacer?.cancel()
            state.pacer = nil
        }
    }

    /// Takes watches again after it was closed.
    func open() { state.withLock { $0.isOpen = true } }

    /// Ends all watches, and takes no more.
    func close() {
        let mailboxes = state.withLock { state in
            state.isOpen = false
            return state.accounts.values.flatMap(\.mailboxes.values)
        }
        for mailbox in mailboxes { mailbox.end() }
    }
}

// MARK: Telling

extension LiveHub {
    /// Hears of a commit of this process.
    func committed(_ userId: String, _ head: ServerHead) {
        hints?.tell(userId, head)
        heard(userId, head)
    }

    /// Hears where an account stands, and tells those who watch it if that is news: at once, or with what else comes
    /// within the quiet time after the last telling.
    func heard(_ userId: String, _ head: ServerHead) {
        let now = now()
        let wait = state.withLock { state -> Duration? in
            guard var account = state.accounts[userId], account.told.map(head.isNews(after:)) ?? true else {
                return nil
            }
            defer { state.accounts[userId] = account }
            account.told = head
            if account.isDeferred { return nil }
            if let last = account.toldAt, now - last < Self.quietTime {
                account.isDeferred = true
                return Self.quietTime - (now - last)
            }
            account.toldAt = now
            for mailbox in account.mailboxes.values { mailbox.put(head) }
            return nil
        }
        guard let wait else { return }
        Task { [clock] in
            try? await clock.sleep(for: wait)
            self.tellDeferred(userId)
        }
    }

    private func tellDeferred(_ userId: String) {
        let now = now()
        state.withLock { state in
            guard let account = state.accounts[userId], account.isDeferred else { return }
            state.accounts[userId]?.isDeferred = false
            state.accounts[userId]?.toldAt = now
            guard let head = account.told else { return }
            for mailbox in account.mailboxes.values { mailbox.put(head) }
        }
    }
}

// MARK: Pace

extension LiveHub {
    /// Reads heads and sends heartbeats, each second, while anybody watches.
    private func pacer() -> Task<Void, Never> {
        Task { [weak self, clock] in
            var (tick, last): (Int, Int?) = (0, nil)
            while !Task.isCancelled {
                guard (try? await clock.sleep(for: .seconds(1))) != nil, let hub = self else { return }
                tick += 1
                let connection = hub.hints?.connection
                // On a new connection, what may have been missed is read once.
                let isHeard = connection != nil && connection == last
                if !isHeard || tick.isMultiple(of: Self.sweepAmongHints) { await hub.sweep() }
                last = connection
                hub.beat(tick % Self.heartbeat)
            }
        }
    }

    /// Reads the heads of the accounts that are watched.
    private func sweep() async {
        // A database that is away is back at the next sweep; meanwhile nobody can be told anything.
        guard let heads = try? await readHeads(watchedAccounts) else { return }
        for (userId, head) in heads { heard(userId, head) }
    }

    /// Sends the heartbeats of a second.
    func beat(_ slot: Int) {
        let mailboxes = state.withLock { state in
            state.accounts.values.flatMap { account in
                account.mailboxes.filter { state.slots[$0.key] == slot }.values
            }
        }
        for mailbox in mailboxes { mailbox.beat() }
    }
}
