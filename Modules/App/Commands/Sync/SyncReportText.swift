import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The report of a sync for people, and its exit code.
struct SyncReportText {
    let report: SyncReport
    /// The number of records that an interrupted full fetch has stored; the next sync continues there.
    var fetched = 0
    /// What is said of the next try, where it comes by itself; nil where a person decides about it.
    var nextTry: String?
    /// The refused changes; nil where only their number is known.
    var refused: RefusedChanges?
    /// What helps on a slow connection; nil for nothing.
    var moreTime: String? = CommandFailure.moreTime

    var lines: [String] {
        if report.failure != nil, report.pushed == 0, report.pulled == 0 { return [] }
        let more = report.hasMore ? ["there is more to sync than one sync takes; sync again to go on"] : []
        let isQuiet = report.pushed == 0 && report.pulled == 0 && left.isEmpty && more.isEmpty
        if isQuiet, report.failure == nil { return ["up to date"] + clock }
        // Changes that came during the full fetch are not additional records.
        let later = report.pulled - report.placed
        let received =
            report.bootstrapped ? [fullFetch] + (later > 0 ? [changes(later)] : []) : [changes(report.pulled)]
        return [(["sent \(counted(report.pushed, "change"))"] + received + left + more).joined(separator: ", ")] + clock
    }

    /// That the clocks differ, and what waits for that.
    var clock: [String] {
        let difference = report.clockReading.flatMap(ClockHealth.difference)
        return ClockHealth.sentence(difference, holdingBack: report.early).map { [$0] } ?? []
    }

    /// The sent and received changes for `--watch`; empty if there are none.
    var movement: [String] {
        let later = report.bootstrapped ? report.pulled - report.placed : report.pulled
        var parts = report.pushed > 0 ? ["sent \(counted(report.pushed, "change"))"] : []
        if report.bootstrapped, report.placed > 0 { parts.append(fullFetch) }
        if later > 0 { parts.append("\(changes(later)) from another device") }
        return parts
    }

    private var fullFetch: String { "fetched \(counted(report.placed, "record")) (full sync)" }

    private func changes(_ count: Int) -> String { "received \(counted(count, "change"))" }

    /// The pending work, with the commands that show it.
    var left: [String] {
        var parts: [String] = []
        let others = report.pending - report.early
        if others > 0 { parts.append("\(counted(others, "change")) still waiting") }
        if report.early > 0 { parts.append("\(counted(report.early, "change")) waiting for the server's clock") }
        if report.parked > report.lost { parts.append("\(report.parked - report.lost) refused") }
        if let loss = LostChanges(report).figures {
            parts.append("the server lost \(loss)" + (report.lostValues > 0 ? " (see 'trendy conflicts list')" : ""))
        }
        let conflicts = report.conflicts - report.lostValues
        if conflicts > 0 { parts.append("\(counted(conflicts, "conflict")) (see 'trendy conflicts list')") }
        if report.quarantined > 0 { parts.append("\(report.quarantined) quarantined (see 'trendy quarantine list')") }
        return parts
    }

    /// The error of the command; nil if the sync succeeded.
    var failure: CommandFailure? {
        let reason = report.error ?? "the sync ended early"
        let later = "nothing is lost; \(nextTry ?? "sync again later")"
        switch report.failure {
        case nil:
            if report.failing > 0 {
                return CommandFailure(.unavailable, "\(reason); \(later)")
            }
            guard report.parked > 0 else { return nil }
            if report.lost == 0, let refused, !refused.groups.isEmpty { return .data(refused.message) }
            return .data(ParkedChanges(refused: report.parked - report.lost, lost: LostChanges(report)).sentence)
        case .unreachable:
            let advice = reason == APIError.timeout.description ? moreTime.map { "; \($0)" } ?? "" : ""
            return CommandFailure(
                .unavailable, "\(CommandFailure.readable(reason)); \(later)\(advice)")
        case .notAServer: return CommandFailure(.unavailable, reason)
        case .protocol: return CommandFailure(.unavailable, "\(reason); \(later)")
        case .quarantineFull: return .data("\(reason); \(Self.adviceWhenFull)")
        case .rateLimited: return CommandFailure(.tryLater, "\(reason)\(pause)")
        case .signedOut:
            let facts = reason.hasPrefix("not signed in: ") ? String(reason.dropFirst(15)) : reason
            return .signIn("\(CommandFailure.signInSentence(facts)); nothing is lost")
        case .signInFailing:
            let known = APIError.unauthorized("", mayPass: true).description
            return .doubtful(reason.hasPrefix(known) ? String(reason.dropFirst(known.count)) : reason)
        case .takenOver:
            return CommandFailure(
                .tryLater, "\(reason) and continues the work; nothing is lost; 'trendy status' shows the progress")
        case .store: return CommandFailure(storeReason: reason)
        case .cancelled:
            let sent = counted(report.pushed, "change")
            let left = report.pending > 0 ? " and \(report.pending) still wait" : ""
            let figure = fetched == 1 ? "1 record was" : "\(FigureText.text(fetched)) records were"
            let kept = fetched > 0 ? "; \(figure) fetched, and the next sync continues there" : ""
            return .interrupted(
                "\(sent) \(report.pushed == 1 ? "was" : "were") sent\(left); nothing is lost\(kept); "
                    + "run 'trendy sync' to continue")
        }
    }

    private static let adviceWhenFull =
        "update Trendy, or look at them with 'trendy quarantine list' and discard them with "
        + "'trendy quarantine discard --all', then sync again"

    private var pause: String {
        if let nextTry { return "; \(nextTry)" }
        guard let seconds = report.retryAfter else { return "; nothing is lost; try again later" }
        return "; try again in \(DurationText.wait(seconds)), or at once with 'trendy sync --now'"
    }
}

/// A sync report as JSON; all keys are always present.
struct SyncReportJSON: Encodable {
    let report: SyncReport

    private enum CodingKeys: String, CodingKey {
        case state, pushed, pulled, pending, early, failing, parked, lost, conflicts, quarantined, cursor
        case bootstrapped, failure, error
        case hasMore = "has_more"
        case retryAfter = "retry_after"
        case nextAttempt = "next_attempt"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.state.name, forKey: .state)
        try container.encode(report.pushed, forKey: .pushed)
        try container.encode(report.pulled, forKey: .pulled)
        try container.encode(report.pending, forKey: .pending)
        try container.encode(report.early, forKey: .early)
        try container.encode(report.failing, forKey: .failing)
        try container.encode(report.parked, forKey: .parked)
        try container.encode(LostJSON(lost: LostChanges(report)), forKey: .lost)
        try container.encode(report.conflicts, forKey: .conflicts)
        try container.encode(report.quarantined, forKey: .quarantined)
        try container.encode(report.cursor, forKey: .cursor)
        try container.encode(report.bootstrapped, forKey: .bootstrapped)
        try container.encode(report.hasMore, forKey: .hasMore)
        try container.encode(report.retryAfter, forKey: .retryAfter)
        try container.encode(report.nextAttemptAt, forKey: .nextAttempt)
        try container.encode(report.failure, forKey: .failure)
        try container.encode(report.error, forKey: .error)
    }
}

/// What the server had and has lost, as JSON.
private struct LostJSON: Encodable {
    let lost: LostChanges

    private enum CodingKeys: String, CodingKey {
        case records, values, moves, deletions
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lost.records, forKey: .records)
        try container.encode(lost.values, forKey: .values)
        try container.encode(lost.moves, forKey: .moves)
        try container.encode(lost.deletions, forKey: .deletions)
    }
}

/// The changes that wait for a decision, in words.
struct ParkedChanges {
    var refused: Int
    var lost: LostChanges

    /// How many there are.
    var count: Int { refused + lost.parked }

    /// Reads them from the store.
    ///
    /// - Throws: `StoreError`.
    static func read(_ reader: StoreReader) throws -> ParkedChanges {
        let count = try reader.mutationCounts()[.parked, default: 0]
        let lost = try LostChanges.read(reader, isAnyParked: count > 0)
        return ParkedChanges(refused: count - lost.parked, lost: lost)
    }

    /// What happened to them; nil if there are none.
    var facts: String? {
        var parts: [String] = []
        if refused > 0 { parts.append("\(counted(refused, "change")) \(refused == 1 ? "was" : "were") refused") }
        if let loss { parts.append(loss) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// What the server has lost; nil if that is nothing.
    var loss: String? { lost.figures.map { "the server lost \($0): its data was restored or reset" } }

    /// The same with the commands that help.
    var sentence: String {
        let what = lost.values > 0 ? "all but the values" : lost.parked == 1 ? "it" : "them"
        let again = "'trendy queue retry --all' sends \(what) again, or "
        let values = lost.values > 0 ? "; 'trendy conflicts list' has the values" : ""
        return "\(facts ?? "none"); \(refused == 0 ? again : "")see 'trendy queue list'\(values)"
    }
}

/// The waiting changes that the server failed on.
struct FailingChanges {
    /// Their number, at least 1.
    let count: Int
    /// The error of the first of them.
    let error: String

    /// Nil if there are none.
    init?(_ attempted: [(error: String, count: Int)]) {
        guard let first = attempted.first else { return nil }
        count = attempted.reduce(0) { $0 + $1.count }
        error = first.error
    }

    /// Reads them from the store.
    ///
    /// - Throws: `StoreError`.
    static func read(_ reader: StoreReader) throws -> FailingChanges? {
        FailingChanges(try reader.attemptedMutations())
    }

    /// `the server failed on 2 changes: the server answered 500: no reason given`.
    var message: String { "\(Self.beginning)\(counted(count, "change")): \(error)" }

    private static let beginning = "the server failed on "

    /// Whether a past sync failed only because the server failed on changes.
    static func isOnly(in entry: SyncHistoryEntry) -> Bool {
        entry.failure == nil && entry.error?.hasPrefix(beginning) == true
    }

    /// Why nothing is tried for a while after a past sync.
    static func reasonOfPause(after entry: SyncHistoryEntry) -> String {
        let error = entry.error ?? ""
        if isLostConnection(error) { return "the server could not be reached" }
        if entry.failure == .rateLimited { return "the server asked for a pause" }
        let isAnswer = entry.failure == .protocol || entry.failure == .unreachable && !isOfCertificate(error)
        return isOnly(in: entry) || isAnswer ? "the server failed" : "the last sync failed"
    }

    /// Whether an error means that the server was not reached in time. Advice may follow.
    static func isLostConnection(_ error: String) -> Bool {
        [APIError.timeout, .connection("")].contains { error.hasPrefix($0.description) }
    }

    /// Whether an error is about the server's certificate.
    static func isOfCertificate(_ error: String) -> Bool {
        let fault = CertificateFault.otherHost
        return error.hasPrefix(String(APIError.untrusted(fault).description.dropLast(fault.description.count)))
    }
}
