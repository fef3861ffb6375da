import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

/// The background sync. It waits until a burst of changes is over, and syncs. If the server cannot be reached, it waits
/// as long as the engine says, and tries again a few times.
@MainActor
struct BackgroundSync {
    let context: CommandContext
    let lock: AutosyncLock
    /// Whether it syncs even if no changes wait.
    var wantsNews = false

    /// The time without changes before a sync starts.
    static let quietTime = Duration.seconds(2)
    /// How many times it waits for more changes at most.
    static let patience = 5
    /// The maximum number of attempts.
    static let tries = 5
    /// The time between two checks for the next attempt.
    static let lookTime = Duration.seconds(5)
    /// The maximum number of checks for all attempts: a quarter of an hour.
    static let looks = 180
    /// The number of checks before the next attempt if the engine names no time.
    static let usualLooks = 6

    func run() async throws {
        defer { lock.close() }
        leaveWorkingFolder()
        guard let place = try await waitForQuiet() else { return }
        var looksLeft = Self.looks
        for number in 1...Self.tries {
            // From now on another sync may wait for changes, which can be too late for this one.
            lock.release()
            guard lock.trace?.number == place.number, try await isWanted,
                try await AutosyncNeed(context: context, wantsNews: wantsNews && number == 1).isThere()
            else { return }
            guard let failure = try await sync() else { return }
            // Another sync waits by now, and will try again.
            guard Self.mayPass(failure), number < Self.tries, lock.trace?.number == place.number, lock.take(),
                try await waitForNextTry(&looksLeft)
            else { throw SilentExit(status: failure.status) }
        }
    }

    /// Changes to the root folder, so that the person's working folder can be removed or unmounted.
    private func leaveWorkingFolder() {
        let folders = context.root.configuration.folders
        guard context.process.endsWithCommand, folders.data.hasPrefix("/"), folders.config.hasPrefix("/") else {
            return
        }
        _ = FileManager.default.changeCurrentDirectoryPath("/")
    }

    /// Syncs once. Returns the error; nil for success.
    private func sync() async throws -> CommandFailure? {
        let startedAt = context.now
        do {
            let text = SyncReportText(report: try await SyncRun(context: context).sync())
            return CommandFailure.of(text, in: context)
        } catch {
            let failure = CommandFailure(error)
            try remember(error, since: startedAt)
            if Self.mayPass(failure) { return failure }
            throw error
        }
    }

    /// Whether the error can disappear by itself, so that another attempt makes sense.
    private static func mayPass(_ failure: CommandFailure) -> Bool {
        failure.status == .unavailable || failure.status == .tryLater
    }

    /// Waits for the next attempt, or for a change by a command. False if the next attempt is too far away.
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

    /// Whether automatic sync is still on; the settings may have changed during the wait.
    private var isWanted: Bool {
        get async throws {
            try await TrendyConfiguration.load(flags: [:], environment: context.process.environment).autosync
        }
    }

    /// Waits until there were no changes for a while. Returns the state of the lock's file; nil if it was deleted: then the
    /// folder was removed, and must not be created again.
    private func waitForQuiet() async throws -> AutosyncLock.Trace? {
        for _ in 0..<Self.patience {
            let before = lock.trace
            try await context.process.clock.sleep(for: Self.quietTime)
            let after = lock.trace
            if after == nil || after == before { return after }
        }
        return lock.trace
    }

    /// Adds the error of a sync that could not start to the history, so that `trendy status` can show it.
    private func remember(_ error: any Error, since startedAt: Timestamp) throws {
        let store = try context.root.stores.makeDataStore()
        let failure = CommandFailure.of(error, in: context)
        let (kind, reason): (SyncReport.Failure?, String) =
            switch error {
            case let refusal as TokenRefusal where refusal.mayPass: (.signInFailing, refusal.answer)
            case APIError.unauthorized(let reason, mayPass: true): (.signInFailing, reason)
            default: (failure.status == .signIn ? .signedOut : nil, failure.message)
            }
        try store.append(
            SyncHistoryEntry(
                id: context.makeId(), startedAt: startedAt, finishedAt: context.now, pushed: 0, pulled: 0,
                bootstrapped: false, failure: kind, error: reason))
        try store.save()
    }
}
