import ArgumentParser
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

struct SyncCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Send waiting changes, and receive the changes of other devices.",
        discussion: """
            While the server asks to wait, nothing is sent, and the exit code is 75.
            --watch runs until Ctrl-C or SIGTERM, and syncs after each change, here or on another device. A server
            that cannot announce changes is asked every minute.

            Examples:
              trendy sync
              trendy sync --watch --interval 300
              trendy sync --install
            """)

    @Flag(name: .long, help: "Fetch all records again. Waiting changes are kept and sent.")
    var full = false

    @Flag(name: .long, help: "Sync at once, even if the server asked to wait.")
    var now = false

    @Flag(name: .long, help: "Keep running, and sync after each change.")
    var watch = false

    @Option(
        name: .long,
        help: "With --watch: seconds between syncs without changes (default: \(Int(SyncEngine.followInterval))).")
    var interval: Int?

    @Option(name: .long, help: "The server's URL (default: that of the sign-in).")
    var server: String?

    @Option(
        name: .long, defaultAsFlag: ScheduleName.native,
        help: ArgumentHelp(
            "Print files for a scheduled sync: systemd, service, timer or launchd.",
            valueName: "system"))
    var install: ScheduleName? = nil

    /// The file descriptor of the lock that a background sync inherits.
    @Option(name: .long, help: .hidden)
    var background: Int32?

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }
    var needsSoundSettings: Bool { true }

    func check() throws {
        _ = try install?.schedule()
        if install != nil && (full || now || watch || server != nil) {
            throw CommandFailure.usage("--install only prints files; leave out the other options except --json")
        }
        if interval != nil && !watch { throw CommandFailure.usage("--interval needs --watch") }
        if let interval, !(1...86_400).contains(interval) {
            throw CommandFailure.usage("--interval must be from 1 to 86400 seconds")
        }
    }

    func run(in context: CommandContext) async throws {
        if let install { return try SyncInstall(context: context, schedule: install.schedule()).run() }
        if now { try await context.store.resetCircuitBreaker() }
        if watch {
            let seconds = interval.map(Double.init) ?? SyncEngine.followInterval
            return try await SyncWatch(context: context, interval: seconds, full: full).runUntilStopped()
        }
        try await PlainSync(isFull: full, lock: background).run(in: context)
    }
}

/// A single sync with its report: `trendy sync` without options, and the background sync.
struct PlainSync: CommandAction {
    var isFull = false
    /// The file descriptor of the lock that a background sync inherits.
    var lock: Int32?
    var needsSoundSettings: Bool { true }

    /// Whether a background sync fetches news even if no changes wait.
    var wantsNews = false

    /// The arguments that start a background sync.
    static let backgroundArguments = ["sync", "--background", "\(ProgramLauncher.handedDescriptor)"]
    /// The arguments that start a background sync for news.
    static let newsArguments = backgroundArguments + ["--news"]

    func run(in context: CommandContext) async throws {
        if let lock {
            let lock = AutosyncLock(path: context.root.configuration.folders.autosyncLock, descriptor: lock)
            return try await BackgroundSync(context: context, lock: lock, wantsNews: wantsNews).run()
        }
        let report: SyncReport
        var failure: CommandFailure?
        do {
            report = try await context.interruption.during {
                try await WaitingNotice(context: context).during {
                    try await SyncRun(context: context).sync(full: isFull)
                }
            }
        } catch {
            let reason = storeFailure(in: context) ?? .of(error, in: context)
            report = notBegun(reason, in: context)
            failure = reason
        }
        if context.wantsJSON {
            try context.output.json(SyncReportJSON(report: report))
        } else if failure == nil {
            for line in SyncReportText(report: report).lines { try context.output.line(line) }
        }
        let text = SyncReportText(
            report: report, fetched: try await fetched(report, in: context), refused: try? RefusedChanges.read(context))
        if let failure = failure ?? CommandFailure.of(text, in: context) { throw failure }
    }

    /// The number of records that an interrupted full fetch has stored for the next sync.
    @MainActor
    private func fetched(_ report: SyncReport, in context: CommandContext) async throws -> Int {
        guard report.failure == .cancelled, try await context.root.engine.needsBootstrap() else { return 0 }
        return try context.root.engine.receivedCount
    }

    /// The error of the store, which has priority over other errors; nil for none.
    @MainActor
    private func storeFailure(in context: CommandContext) -> CommandFailure? {
        do {
            _ = try context.reader.mutationCounts()
            return nil
        } catch {
            return .of(error, in: context)
        }
    }

    /// The report of a sync that could not start, with the counts of the store if it can be read.
    @MainActor
    private func notBegun(_ failure: CommandFailure, in context: CommandContext) -> SyncReport {
        let reader = try? context.reader
        let counts = (try? reader?.mutationCounts()) ?? [:]
        return SyncReport(
            state: .error(failure.message), pending: counts[.queued, default: 0] + counts[.sending, default: 0],
            parked: counts[.parked, default: 0], conflicts: (try? reader?.countDocuments(SyncConflict.self)) ?? 0,
            quarantined: (try? reader?.countDocuments(QuarantinedChange.self)) ?? 0,
            cursor: (try? context.root.engine.position().head) ?? 0, error: failure.message)
    }
}
