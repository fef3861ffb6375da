import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

/// The sync that a command has left behind: it waits until a burst of changes is over, and syncs; where the server
/// cannot be had just then, it waits as long as the engine says, and tries again a few times.
@MainActor
struct BackgroundSync {
    let context: CommandContext
    let lock: AutosyncLock
    /// Whether it syncs once though nothing waits to be sent.
    var wantsNews = false

    /// For how long nothing is changed before a sync begins.
    static let quietTime = Duration.seconds(2)
    /// After how many such times it begins although changes still come.
    static let patience = 5
    /// How often it tries.
    static let tries = 5
    /// Between two looks whether it may try again.
    static let lookTime = Duration.seconds(5)
    /// After how many looks it gives up, all tries together: a quarter of an hour.
    static let looks = 180
    /// How many looks it waits where nobody says how long.
    static let usualLooks = 6

    func run() async throws {
        defer { lock.close() }
        leaveWorkingFolder()
        guard let place = try await waitForQuiet() else { return }
        var looksLeft = Self.looks
        for number in 1...Self.tries {
            // From here on another one may wait: what is changed now may come too late for this one.
            lock.release()
            guard lock.trace?.number == place.number, try await isWanted,
                try await AutosyncNeed(context: context, wantsNews: wantsNews && number == 1).isThere()
            else { return }
            guard let failure = try await sync() else { return }
            // Whoever waits by now tries again too.
            guard Self.mayPass(failure), number < Self.tries, lock.trace?.number == place.number, lock.take(),
                try await waitForNextTry(&looksLeft)
            else { throw SilentExit(status: failure.status) }
        }
    }

    /// Works in the root folder, so that the one in which a person typed the command can be removed or unmounted.
    private func leaveWorkingFolder() {
        let folders = context.root.configuration.folders
        guard context.process.endsWithCommand, folders.data.hasPrefix("/"), folders.config.hasPrefix("/") else {
            return
        }
        _ = FileManager.default.changeCurrentDirectoryPath("/")
    }

    /// Syncs once. Answers what kept it from its end; nil where nothing did.
    private func sync() async throws -> CommandFailure? {
        let startedAt = context.now
        do {
            return SyncReportText(report: try await SyncRun(context: context).sync()).failure
        } catch {
            let failure = CommandFailure(error)
            try remember(failure, since: startedAt)
            if Self.mayPass(failure) { return failure }
            throw error
        }
    }

    /// Whether time alone may cure it: nothing else is tried again without a person.
    private static func mayPass(_ failure: CommandFailure) -> Bool {
        failure.status == .unavailable || failure.status == .tryLater
    }

    /// Waits for the moment of the next try, or until somebody who may sync has changed something. False where that
    /// moment is too far off.
    private func waitForNextTry(_ looksLeft: inout Int) async throws -> Bool {
        let before = lock.trace
        var usualLeft = try nextTry() == nil ? Self.usualLooks : 0
        while lock.trace == before {
            let next = try nextTry()
            if next == nil, usualLeft <= 0 { return true }
            let seconds = next.map { $0.seconds(since: context.now) } ?? 0
            guard looksLeft > 0, seconds <= Double(looksLeft) * Self.lookSeconds else { return false }
            let time = next == nil ? Self.lookTime : min(Duration.seconds(seconds), Self.lookTime)
            try await context.process.clock.sleep(for: time)
            looksLeft -= 1
            usualLeft -= 1
        }
        return true
    }

    private static let lookSeconds = Double(lookTime.components.seconds)

    private func nextTry() throws -> Timestamp? { try context.root.engine.nextAttemptTime() }

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
