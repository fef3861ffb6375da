import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// What a watch shows: a line for each sync that changed something, and each trouble and its end once. On a terminal a
/// status line stands below them.
@MainActor
final class WatchDisplay {
    private let context: CommandContext
    private let start: Timestamp
    private let interval: Double
    /// Whether it draws on a terminal how it stands.
    let hasStatusLine: Bool
    private var news = WatchNews()
    private var status = WatchStatus()
    private var (sent, received, pending) = (0, 0, 0)
    /// Whether changes waited for the server's clock when the latest sync had done its work.
    private var isEarly = false

    /// - Parameter interval: Seconds between two syncs where nothing else asks for one.
    init(context: CommandContext, interval: Double) {
        self.context = context
        self.interval = interval
        start = context.now
        hasStatusLine = !context.wantsJSON && context.output.takesLinesBack(context.process.environment)
    }

    /// Adds a sync to what the end of the watch tells.
    func count(_ report: SyncReport) {
        sent += report.pushed
        received += report.pulled
        pending = report.pending
    }

    /// Whether it shows that the server is silent, though no sync has failed.
    private(set) var isDoubtful = false

    /// Shows that the server is silent, until the sync that finds out has ended or gets on.
    func doubt() throws { try note(isLate: true) }

    /// Shows whether the server lets a sync wait.
    func note(isLate: Bool) throws {
        if isLate == isDoubtful { return }
        // What is known to be wrong says more.
        if isLate, status.trouble != nil { return }
        isDoubtful = isLate
        status.trouble = isLate ? WatchStatus.silence : nil
        // A sync that gets on shows its progress, and its end alone shows that all is in sync.
        if isLate { try show() }
    }

    /// Shows whether the server is heard, where that has changed since it was shown.
    func noteHearing() throws {
        let asking = try self.asking()
        if asking == status.asking { return }
        status.asking = asking
        // Before the first sync, and while something is wrong, the line says the same either way.
        if status.synced != nil, status.trouble == nil { try show() }
    }

    /// Tells what is new in a sync.
    func tell(_ report: SyncReport) throws {
        isDoubtful = false
        let news = news.take(report)
        let nextTry = report.nextAttemptAt.map { "the next try is at \(clock($0))" } ?? "the next try comes by itself"
        let text = SyncReportText(report: report, nextTry: nextTry)
        if context.wantsJSON {
            if news != .nothing { try context.output.json(SyncReportJSON(report: report)) }
            return try context.output.flush()
        }
        let failure = CommandFailure.of(text, in: context)
        let facts = text.movement + (failure == nil ? text.left : [])
        if news == .end {
            try line(([report.early > 0 ? "synced again" : "in sync again"] + facts).joined(separator: ", "))
        } else if news != .nothing, !facts.isEmpty {
            try line(facts.joined(separator: ", "))
        }
        if news == .trouble, let failure { try remark(failure) }
        if report.failure == nil {
            let wasEarly = isEarly
            isEarly = report.early > 0
            if isEarly, !wasEarly { for sentence in text.clock { try line(sentence) } }
            status.synced = clock(context.now)
        }
        status.asking = try asking()
        if !text.movement.isEmpty { status.movement = text.movement }
        status.left = text.left
        status.isEarly = report.early > 0
        status.trouble = failure.map { _ in WatchStatus.trouble(of: report) }
        status.nextTry = failure == nil ? nil : report.nextAttemptAt.map(clock)
        try show()
    }

    /// Tells why a sync could not begin.
    func tell(_ failure: CommandFailure) throws {
        isDoubtful = false
        if news.take(failure) == .trouble { try remark(failure) }
        status.trouble = failure.status == .signIn ? WatchStatus.signInNeeded : failure.message
        status.nextTry = nil
        try show()
    }

    /// Draws the status line, where there is one.
    func show() throws {
        guard hasStatusLine else { return }
        let screen = context.screen
        // A line that fills the last column may move on to the next.
        try context.output.passingLine(screen.style.faint(status.text(columns: screen.width - 1, screen.glyphs)))
    }

    /// Takes the status line off the screen.
    func clear() { try? context.output.clearPassingLine() }

    /// Says how long it has watched, and what was done.
    func end() throws {
        guard !context.wantsJSON else { return }
        let length = DurationText.span(max(0, context.now.seconds(since: start)).rounded(.down))
        let done = [(sent, "sent"), (received, "received")].filter { $0.0 > 0 }
            .map { "\($0.1) \(FigureText.counted($0.0, "change"))" }
        let left = pending > 0 ? ["\(FigureText.counted(pending, "change")) still to send"] : []
        let parts = (done.isEmpty ? ["nothing was sent or received"] : done) + left
        try context.output.line("watched for \(length): \(parts.joined(separator: ", "))")
        try context.output.flush()
    }

    private func line(_ text: String) throws {
        try context.output.line("\(context.process.zone.secondText(context.now))  \(text)")
        try context.output.flush()
    }

    /// Standard error may be the same terminal.
    private func remark(_ failure: CommandFailure) throws {
        try context.output.clearPassingLine()
        try context.remark(failure.message)
    }

    /// How often the server is asked, where no live line tells this device that the server has changes, or is gone;
    /// nil where one does.
    private func asking() throws -> String? {
        guard hasStatusLine, try !context.root.engine.isHearingServer else { return nil }
        return WatchStatus.asking(every: interval)
    }

    private func clock(_ moment: Timestamp) -> String { String(context.process.zone.secondText(moment).suffix(8)) }
}

/// How a watch stands, in one line: a pure value.
struct WatchStatus: Hashable {
    /// When everything was in sync last, as a clock showed it.
    var synced: String?
    /// How often the server is asked, where it is not known in between whether all is in sync; nil where it is.
    var asking: String?
    /// What the last sync that changed something has changed.
    var movement: [String] = []
    /// What is not done, though nothing is wrong with the connection.
    var left: [String] = []
    /// Whether changes wait for the server's clock.
    var isEarly = false
    /// What is wrong; nil where nothing is.
    var trouble: String?
    /// When the next try is, as a clock shows it.
    var nextTry: String?

    static let signInNeeded = "sign-in needed"
    static let silence = "the server does not answer"

    /// `in sync · synced 12:03:10 · received 2 changes from another device · Ctrl-C ends it`, or
    /// `synced 12:03:10, asks every minute · Ctrl-C ends it`, in at most so many columns; how to end it is left out
    /// first.
    func text(columns: Int, _ glyphs: Glyphs) -> String {
        let asking = trouble == nil ? asking.map { ", \($0)" } : nil
        let sound = synced == nil ? ["syncing"] : asking == nil && !isEarly ? ["in sync"] : []
        let state = trouble.map { ["not in sync", $0] } ?? sound
        let times = [nextTry.map { "next try \($0)" }, synced.map { "synced \($0)\(asking ?? "")" }].compactMap(\.self)
        let facts = trouble == nil ? (left.isEmpty ? movement : left) : []
        let separator = " \(glyphs.separator) "
        let text = (state + times + facts).joined(separator: separator)
        let whole = text + separator + "Ctrl-C ends it"
        return whole.columns <= columns ? whole : text.truncated(toColumns: columns, ellipsis: glyphs.ellipsis)
    }

    /// `asks every minute`.
    static func asking(every seconds: Double) -> String {
        let seconds = Int(seconds)
        let (length, unit) = [(3_600, "hour"), (60, "minute")].first { seconds % $0.0 == 0 } ?? (1, "second")
        let count = seconds / length
        return "asks every \(count == 1 ? unit : counted(count, unit))"
    }

    /// What is wrong with a sync, in a few words; what to do about it was said when it began.
    static func trouble(of report: SyncReport) -> String {
        switch report.failure {
        case nil where report.lost > 0: "the server lost \(LostChanges(report).figures ?? "")"
        case nil: report.parked > 0 ? "\(counted(report.parked, "change")) refused" : "the server failed on changes"
        case .unreachable where report.error.map(FailingChanges.isLostConnection) ?? true: "server not reachable"
        case .unreachable:
            FailingChanges.isOfCertificate(report.error ?? "")
                ? "the server's certificate is not accepted" : "the server failed"
        case .notAServer: "no Trendy server at this address"
        case .rateLimited: "the server asked for a pause"
        case .signedOut: signInNeeded
        case .signInFailing:
            report.error?.contains(APIError.signInServiceFailure) == true
                ? "the sign-in service failed" : "the sign-in is not accepted"
        case .store: "the store failed"
        case .cancelled: "interrupted"
        case .protocol: "the server broke the protocol"
        case .quarantineFull: "the quarantine is full"
        case .takenOver: "another process syncs"
        }
    }
}
