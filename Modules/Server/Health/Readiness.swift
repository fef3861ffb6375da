import Logging
import Synchronization
import TrendyDomain

/// Knows whether the server can do its work: by trying it, now and then, when somebody asks.
actor Readiness {
    /// What one look has found stays true for so long.
    static let freshness = Duration.seconds(3)

    private let store: any ServerStore
    private let blocking: BlockingWork
    private let logger: Logger
    private let now: @Sendable () -> Duration
    private let isStopping = Atomic(false)
    private var last: (fault: StoreFault?, at: Duration)?
    private var probe: Task<StoreFault?, Never>?
    private var check: Task<Void, Never>?
    private var damage: StoreFault?

    /// - Parameter clock: Says how old the last look is.
    init<ReadingClock: Clock<Duration>>(
        store: any ServerStore, blocking: BlockingWork, logger: Logger, clock: ReadingClock = ContinuousClock()
    ) {
        self.store = store
        self.blocking = blocking
        self.logger = logger
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// From now on the server is not ready, or is again.
    nonisolated func setStopping(_ isStopping: Bool) {
        self.isStopping.store(isStopping, ordering: .releasing)
    }

    /// Why the server cannot do its work; nil where it can.
    ///
    /// It looks at the store with at most one write every few seconds. Callers who come meanwhile share what it finds.
    /// The first call also has the whole database looked through, once, beside everything else.
    func fault() async -> StoreFault? {
        if isStopping.load(ordering: .acquiring) { return StoreFault("the server is shutting down") }
        if check == nil { check = Task { await checkOnce() } }
        if let damage { return damage }
        if let last, now() - last.at < Self.freshness { return last.fault }
        if let probe { return await probe.value }
        let probe = Task { await tryWriting() }
        self.probe = probe
        let fault = await probe.value
        self.probe = nil
        if let fault, last?.fault != fault { tell(fault) }
        last = (fault, now())
        return fault
    }

    /// Waits until the database was looked through, where that has begun.
    func waitForCheck() async { await check?.value }

    private func tryWriting() async -> StoreFault? {
        do {
            try await blocking.write { [store] in try store.probe() }
            return nil
        } catch {
            return StoreFault(error)
        }
    }

    private func checkOnce() async {
        do {
            try await blocking.read { [store] in try store.checkIntegrity() }
        } catch {
            let fault = StoreFault(error)
            damage = fault
            tell(fault)
        }
    }

    private func tell(_ fault: StoreFault) {
        logger.error(
            "the server is not ready", metadata: ["reason": "\(fault.reason)", "cause": "\(fault.cause ?? "")"])
    }
}
