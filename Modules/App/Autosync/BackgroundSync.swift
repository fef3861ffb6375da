import TrendyData
import TrendyDomain
import TrendySync

/// The sync that a command has left behind: it waits until a burst of changes is over, and syncs once.
@MainActor
struct BackgroundSync {
    let context: CommandContext
    let lock: AutosyncLock

    /// For how long nothing is changed before a sync begins.
    static let quietTime = Duration.seconds(2)
    /// After how many such times it begins although changes still come.
    static let patience = 5

    func run() async throws {
        defer { lock.close() }
        guard let place = try await waitForQuiet() else { return }
        // From here on another one may wait: what is changed now may come too late for this one.
        lock.release()
        guard lock.trace?.number == place.number, try await isWanted,
            try await AutosyncNeed(context: context).isThere()
        else { return }
        let startedAt = context.now
        do {
            let report = try await SyncRun(context: context).sync()
            if let failure = SyncReportText(report: report).failure { throw SilentExit(status: failure.status) }
        } catch let error where !(error is SilentExit) {
            try remember(CommandFailure(error), since: startedAt)
            throw error
        }
    }

    /// Whether the settings still let a sync start by itself: they may have been changed while this one waited.
    private var isWanted: Bool {
        get async throws {
            try await TrendyConfiguration.load(flags: [:], environment: context.process.environment).autosync
        }
    }

    /// Waits until nobody has changed anything for a while. Answers the lock's file; nil where that is gone: somebody
    /// has removed the folder, and must not find it made anew.
    private func waitForQuiet() async throws -> AutosyncLock.Trace? {
        for _ in 0..<Self.patience {
            let before = lock.trace
            try await context.process.clock.sleep(for: Self.quietTime)
            let after = lock.trace
            if after == nil || after == before { return after }
        }
        return lock.trace
    }

    /// Puts what kept the sync from beginning into the history, for `trendy status` to show: nobody sees it here.
    private func remember(_ failure: CommandFailure, since startedAt: Timestamp) throws {
        let store = try context.root.stores.makeDataStore()
        let isSignIn = failure.status == .signIn
        try store.putDocument(
            SyncHistoryEntry(
                id: context.makeId(), startedAt: startedAt, finishedAt: context.now, pushed: 0, pulled: 0,
                bootstrapped: false, failure: isSignIn ? .signedOut : nil, error: failure.message))
        try store.save()
    }
}
