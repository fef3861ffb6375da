import TrendyData
import TrendyDomain
import TrendySync

/// Keeps a device in sync until it is told to stop.
///
/// It holds nothing between two looks: other commands log and sync on the same store meanwhile.
@MainActor
final class SyncWatch {
    private let context: CommandContext
    private let run: SyncRun
    private var full: Bool
    private var schedule: WatchSchedule
    private var news = WatchNews()
    private var hasBegun = false
    /// The file that is open.
    private var file: FileIdentity?

    /// How often it looks whether something was queued.
    private static let pollInterval = Duration.seconds(1)

    init(context: CommandContext, interval: Double, full: Bool = false) {
        self.context = context
        self.full = full
        run = SyncRun(context: context)
        schedule = WatchSchedule(interval: interval)
    }

    /// Syncs again and again; returns when the task is cancelled, or on SIGINT or SIGTERM.
    ///
    /// - Throws: ``CommandFailure`` where the first sync cannot begin, or the store fails.
    func runUntilStopped() async throws {
        do { try await Interruption(context: context).during { try await self.watch() } } catch is CancellationError {}
    }

    private func watch() async throws {
        while true {
            try Task.checkCancellation()
            try requireSameFile()
            let held = try context.root.engine.nextAttemptTime()
            if schedule.isDue(at: context.now, heldUntil: held, mark: try context.reader.mutationCounts()) {
                try await sync()
            }
            try await context.process.clock.sleep(for: Self.pollInterval)
        }
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

    private func sync() async throws {
        do {
            let report = try await run.sync(full: full)
            if report.failure == .cancelled, Task.isCancelled { throw CancellationError() }
            if report.failure == nil { full = false }
            try tell(report)
            schedule.synced(
                at: context.now, heldUntil: report.nextAttemptAt, pending: report.pending,
                mark: try context.reader.mutationCounts())
        } catch let error where !(error is CancellationError || error is StoreError || error is OutputClosed) {
            let failure = CommandFailure(error)
            // Who cannot begin at all is told so by the exit code; later a sign-in may come back.
            guard hasBegun else { throw failure }
            if news.isNews(failure) { try context.remark(failure.message) }
            schedule.synced(
                at: context.now, heldUntil: nil, pending: .max, mark: try context.reader.mutationCounts())
        }
        hasBegun = true
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
