import ArgumentParser
import TrendyData
import TrendyDomain
import TrendySync

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
        } catch {
            let reason = storeFailure(in: context) ?? CommandFailure(error)
            report = notBegun(reason, in: context)
            failure = reason
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

    /// What is wrong with the store, nil where it can be read. It comes before whatever else is wrong.
    @MainActor
    private func storeFailure(in context: CommandContext) -> CommandFailure? {
        do {
            _ = try context.reader.mutationCounts()
            return nil
        } catch {
            return CommandFailure(error)
        }
    }

    /// The report of a sync that could not begin, with what the store says where it can be read.
    @MainActor
    private func notBegun(_ failure: CommandFailure, in context: CommandContext) -> SyncReport {
        let reader = context.reader
        let counts = (try? reader.mutationCounts()) ?? [:]
        let cursor = (try? reader.metadata(MetadataKey.cursor)).flatMap { Int64($0) }
        return SyncReport(
            state: .error(failure.message), pending: counts[.queued, default: 0] + counts[.sending, default: 0],
            parked: counts[.parked, default: 0], conflicts: (try? reader.countDocuments(SyncConflict.self)) ?? 0,
            quarantined: (try? reader.countDocuments(QuarantinedChange.self)) ?? 0, cursor: cursor ?? 0,
            error: failure.message)
    }
}
