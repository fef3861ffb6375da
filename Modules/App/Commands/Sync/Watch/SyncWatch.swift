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
    private var news = WatchNews()
    private var hasBegun = false
    /// The file that is open.
    private var file: FileIdentity?

    init(context: CommandContext, interval: Double, full: Bool = false) {
        self.context = context
        self.full = full
        self.interval = interval
        run = SyncRun(context: context)
    }

    /// Syncs again and again; returns when the task is cancelled, or on SIGINT or SIGTERM.
    ///
    /// - Throws: ``CommandFailure`` where the first sync cannot begin, or the store fails.
    func runUntilStopped() async throws {
        do {
            try await context.interruption.during {
                try await self.context.root.engine.follow(
                    every: self.interval, look: self.requireSameFile, syncing: self.sync)
            }
        } catch is CancellationError {}
    }

    /// Others do not see what happens in a file that was removed or replaced, and this does not see what they do.
    private func requireSameFile() throws {
        let path = context.root.configuration.folders.store
        if file == nil {
            // It is made where there is none yet.
            _ = try context.reader.mutationCounts()
            file = FileIdentity(path)
        }
        guard FileIdentity(path) == file else {
            throw CommandFailure(
                .inputOutput, "\(path) was removed or replaced meanwhile; start 'trendy sync --watch' again to go on")
        }
    }

    /// Answers nil where a sync could not begin.
    private func sync() async throws -> SyncReport? {
        defer { hasBegun = true }
        do {
            let report = try await run.sync(full: full)
            if report.failure == .cancelled { try Task.checkCancellation() }
            if report.failure == nil { full = false }
            try tell(report)
            return report
        } catch let error where !(error is CancellationError || error is StoreError || error is OutputClosed) {
            let failure = CommandFailure(error)
            // Who cannot begin at all is told so by the exit code; later a sign-in may come back.
            guard hasBegun else { throw failure }
            if news.isNews(failure) { try context.remark(failure.message) }
            return nil
        }
    }

    private func tell(_ report: SyncReport) throws {
        guard news.isNews(report) else { return }
        if context.wantsJSON {
            try context.output.json(SyncReportJSON(report: report))
        } else {
            let moment = context.process.zone.secondText(context.now)
            for line in SyncReportText(report: report).lines { try context.output.line("\(moment)  \(line)") }
        }
        try context.output.flush()
        guard let failure = SyncReportText(report: report).failure, !context.wantsJSON else { return }
        let next = report.nextAttemptAt.map { "; next try at \(context.process.zone.secondText($0))" } ?? ""
        try context.remark(failure.message + next)
    }
}

/// Which of the many syncs of a watch are worth a line: those that moved something, and each change for the
/// worse or the better.
struct WatchNews {
    private var trouble: String?
    private var isFirst = true

    /// True where the report says something new.
    mutating func isNews(_ report: SyncReport) -> Bool {
        defer { isFirst = false }
        let present = Self.trouble(of: report)
        let differs = present != trouble
        trouble = present
        return isFirst || differs || report.pushed > 0 || report.pulled > 0 || report.bootstrapped
    }

    /// True where a sync could not begin for another reason than the one before.
    mutating func isNews(_ failure: CommandFailure) -> Bool {
        defer { isFirst = false }
        let differs = failure.message != trouble
        trouble = failure.message
        return isFirst || differs
    }

    /// What is wrong, without what changes by the second.
    private static func trouble(of report: SyncReport) -> String? {
        if let failure = report.failure { return failure.rawValue }
        let counts = [report.failing, report.parked, report.conflicts, report.quarantined]
        return counts.contains { $0 > 0 } ? "\(counts)" : nil
    }
}
