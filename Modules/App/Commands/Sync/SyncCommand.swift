import ArgumentParser
import TrendyData
import TrendyDomain

struct SyncCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Send what waits, and receive what other devices did.",
        discussion: "Example:\n  trendy sync\n  trendy sync --full")

    @Flag(name: .long, help: "Fetch everything anew; what waits is kept and sent.")
    var full = false

    @Option(name: .long, help: "The server's URL, where it is not that of the sign-in.")
    var server: String?

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }

    func run(in context: CommandContext) async throws {
        let report: SyncReport
        var failure: CommandFailure?
        do {
            try await SyncPermission(context: context).require()
            report = try await sync(in: context)
        } catch let error as CommandFailure where error.status == .signIn {
            report = try signedOut(error, in: context)
            failure = error
        }
        if context.wantsJSON {
            try context.output.json(SyncReportJSON(report: report))
        } else if failure == nil {
            for line in SyncReportText(report: report).lines { try context.output.line(line) }
        }
        if let failure = failure ?? SyncReportText(report: report).failure { throw failure }
    }

    @MainActor
    private func sync(in context: CommandContext) async throws -> SyncReport {
        let mustResync = try context.reader.metadata(LocalAccount.resyncKey) != nil
        let progress = SyncProgress(context: context)
        progress.begin()
        let report = await context.store.syncNow(full: full || mustResync)
        try progress.end()
        if mustResync, report.failure == nil {
            let store = try context.root.stores.makeDataStore()
            try store.setMetadata(LocalAccount.resyncKey, nil)
            try store.save()
        }
        return report
    }

    /// The report of a sync that could not begin.
    @MainActor
    private func signedOut(_ error: CommandFailure, in context: CommandContext) throws -> SyncReport {
        let counts = try context.reader.mutationCounts()
        return SyncReport(
            state: .error(error.message), pending: counts[.queued, default: 0] + counts[.sending, default: 0],
            parked: counts[.parked, default: 0], conflicts: try context.reader.countDocuments(SyncConflict.self),
            quarantined: try context.reader.countDocuments(QuarantinedChange.self), failure: .signedOut,
            error: error.message)
    }
}
