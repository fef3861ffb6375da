import ArgumentParser
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

struct SyncCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Send what waits, and receive what other devices did.",
        discussion: """
            While the server has asked for a pause nothing is sent, and the command ends with 75.
            With --watch it stays until Ctrl-C or SIGTERM, and syncs as soon as something changes, here or elsewhere.
            Servers that cannot tell of changes are asked every minute.

            Examples:
              trendy sync
              trendy sync --watch --interval 300
              trendy sync --install
            """)

    @Flag(name: .long, help: "Fetch everything anew; what waits is kept and sent.")
    var full = false

    @Flag(name: .long, help: "Send at once, even where the server has asked for a pause.")
    var now = false

    @Flag(name: .long, help: "Stay, and keep everything in sync.")
    var watch = false

    @Option(
        name: .long,
        help: "With --watch: seconds between syncs where nothing changes (default: \(Int(SyncEngine.followInterval))).")
    var interval: Int?

    @Option(name: .long, help: "The server's URL, where it is not that of the sign-in.")
    var server: String?

    @Option(
        name: .long, defaultAsFlag: ScheduleName.native,
        help: ArgumentHelp(
            "Print what lets systemd or launchd sync now and then: systemd, service, timer, launchd.",
            valueName: "system"))
    var install: ScheduleName? = nil

    /// The descriptor of the lock that a background sync was handed.
    @Option(name: .long, help: .hidden)
    var background: Int32?

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }
    var needsSoundSettings: Bool { true }

    func check() throws {
        _ = try install?.schedule()
        if install != nil && (full || now || watch || server != nil) {
            throw CommandFailure.usage("--install prints files and syncs nothing; only --json goes with it")
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

/// One sync, and what came of it: `trendy sync` without options, and the sync in the background.
struct PlainSync: CommandAction {
    var isFull = false
    /// The descriptor of the lock that a background sync was handed.
    var lock: Int32?
    var needsSoundSettings: Bool { true }

    /// Whether a background sync looks for news, though nothing waits to be sent.
    var wantsNews = false

    /// How a command starts a sync in the background.
    static let backgroundArguments = ["sync", "--background", "\(ProgramLauncher.handedDescriptor)"]
    /// The same, for news.
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
            let reason = storeFailure(in: context) ?? CommandFailure(error)
            report = notBegun(reason, in: context)
            failure = reason
        }
        if context.wantsJSON {
            try context.output.json(SyncReportJSON(report: report))
        } else if failure == nil {
            for line in SyncReportText(report: report).lines { try context.output.line(line) }
        }
        let text = SyncReportText(report: report, fetched: try await fetched(report, in: context))
        if let failure = failure ?? text.failure { throw failure }
    }

    /// How many records had come when a fetch of everything was cut off; they are kept for the next sync.
    @MainActor
    private func fetched(_ report: SyncReport, in context: CommandContext) async throws -> Int {
        guard report.failure == .cancelled, try await context.root.engine.needsBootstrap() else { return 0 }
        return try context.root.engine.receivedCount
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
        let reader = try? context.reader
        let counts = (try? reader?.mutationCounts()) ?? [:]
        return SyncReport(
            state: .error(failure.message), pending: counts[.queued, default: 0] + counts[.sending, default: 0],
            parked: counts[.parked, default: 0], conflicts: (try? reader?.countDocuments(SyncConflict.self)) ?? 0,
            quarantined: (try? reader?.countDocuments(QuarantinedChange.self)) ?? 0,
            cursor: (try? context.root.engine.position().head) ?? 0, error: failure.message)
    }
}
