import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Keeps a device in sync until it is told to stop.
///
/// It holds nothing between two looks: other commands log and sync on the same store meanwhile.
@MainActor
final class SyncWatch {
    private let context: CommandContext
    private let run: SyncRun
    private let interval: Double
    private var full: Bool
    private let display: WatchDisplay
    private let patience: AnswerPatience?
    private var hasBegun = false

    init(context: CommandContext, interval: Double, full: Bool = false) {
        self.context = context
        self.full = full
        self.interval = interval
        let display = WatchDisplay(context: context, interval: interval)
        self.display = display
        let progress = SyncProgress(context: context, isHidden: { display.isDoubtful })
        run = SyncRun(context: context, progress: progress)
        patience = display.hasStatusLine ? AnswerPatience(context: context) { try? display.note(isLate: $0) } : nil
    }

    /// Syncs again and again; returns when the task is cancelled, or on SIGINT or SIGTERM, with what it has done.
    ///
    /// - Throws: ``CommandFailure`` where the first sync cannot begin, or the store fails.
    func runUntilStopped() async throws {
        defer { display.clear() }
        try display.show()
        do {
            try await context.interruption.during {
                try await self.context.root.engine.follow(
                    every: self.interval, look: self.look, doubting: self.display.doubt, syncing: self.sync)
            }
        } catch is CancellationError {}
        try display.end()
    }

    private func look() throws {
        try requireSameFile()
        try display.noteHearing()
    }

    /// Others do not see what happens in a file that was removed or replaced, and this does not see what they do.
    private func requireSameFile() throws {
        let stores = try context.root.stores
        try stores.open()
        try stores.requireSameFile()
    }

    /// Answers nil where a sync could not begin.
    private func sync() async throws -> SyncReport? {
        defer { hasBegun = true }
        do {
            let looking = patience?.start()
            defer { looking?.cancel() }
            let report = try await run.sync(full: full)
            // The store keeps the wish. To ask again would begin anew at the first page.
            let isKept = (try? await context.root.engine.needsBootstrap()) == true
            if report.failure != .store || isKept { full = false }
            display.count(report)
            if report.failure == .cancelled { try Task.checkCancellation() }
            try display.tell(report)
            return report
        } catch let error where !(error is CancellationError || error is StoreError || error is OutputClosed) {
            let failure = CommandFailure.of(error, in: context)
            // Who cannot begin at all is told so by the exit code; later a sign-in may come back.
            guard hasBegun else { throw failure }
            try display.tell(failure)
            return nil
        }
    }
}
