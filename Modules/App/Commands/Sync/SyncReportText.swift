import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// What a sync did, for people, and the exit code that says the same.
struct SyncReportText {
    let report: SyncReport
    /// How many records a fetch of everything had brought when it was cut off; the next one goes on behind them.
    var fetched = 0
    /// What is said of the next try, where it comes by itself; nil where a person decides about it.
    var nextTry: String?

    var lines: [String] {
        if report.failure != nil, report.pushed == 0, report.pulled == 0 { return [] }
        let more = report.hasMore ? ["more is on the server; sync again to go on"] : []
        let isQuiet = report.pushed == 0 && report.pulled == 0 && left.isEmpty && more.isEmpty
        if isQuiet, report.failure == nil { return ["up to date"] }
        // What others have changed since is no record more.
        let later = report.pulled - report.placed
        let received = report.bootstrapped ? [anew] + (later > 0 ? [changes(later)] : []) : [changes(report.pulled)]
        return [(["sent \(counted(report.pushed, "change"))"] + received + left + more).joined(separator: ", ")]
    }

    /// What was sent and received, for who watches; nothing of what there is none of.
    var movement: [String] {
        let later = report.bootstrapped ? report.pulled - report.placed : report.pulled
        var parts = report.pushed > 0 ? ["sent \(counted(report.pushed, "change"))"] : []
        if report.bootstrapped, report.placed > 0 { parts.append(anew) }
        if later > 0 { parts.append("\(changes(later)) from another device") }
        return parts
    }

    private var anew: String { "fetched \(counted(report.placed, "record")) anew" }

    private func changes(_ count: Int) -> String { "received \(counted(count, "change"))" }

    /// What is not done, and where to look.
    var left: [String] {
        var parts: [String] = []
        if report.pending > 0 { parts.append("\(report.pending) still waiting") }
        if report.parked > 0 { parts.append("\(report.parked) refused") }
        if report.conflicts > 0 {
            parts.append("\(counted(report.conflicts, "conflict")) (see 'trendy conflicts list')")
        }
        if report.quarantined > 0 { parts.append("\(report.quarantined) set aside (see 'trendy quarantine list')") }
        return parts
    }

    /// How the command ends; nil where all is well.
    var failure: CommandFailure? {
        let reason = report.error ?? "the sync ended early"
        let later = "nothing is lost, \(nextTry ?? "sync again later")"
        switch report.failure {
        case nil:
            if report.failing > 0 {
                return CommandFailure(.unavailable, "\(reason); \(later)")
            }
            guard report.parked > 0 else { return nil }
            return .data(
                "\(counted(report.parked, "change")) \(report.parked == 1 ? "was" : "were") refused; see 'trendy queue list'"
            )
        case .unreachable:
            let advice = reason == APIError.timeout.description ? "; \(CommandFailure.moreTime)" : ""
            return CommandFailure(
                .unavailable, "\(CommandFailure.readable(reason)); \(later)\(advice)")
        case .notAServer: return CommandFailure(.unavailable, reason)
        case .protocol: return CommandFailure(.unavailable, "\(reason); \(later)")
        case .quarantineFull: return .data("\(reason); \(Self.adviceWhenFull)")
        case .rateLimited: return CommandFailure(.tryLater, "\(reason)\(pause)")
        case .signedOut:
            let facts = reason.hasPrefix("not signed in: ") ? String(reason.dropFirst(15)) : reason
            return .signIn("\(CommandFailure.signInSentence(facts)); nothing is lost")
        case .takenOver:
            return CommandFailure(
                .tryLater, "\(reason) and goes on with it; nothing is lost, 'trendy status' shows how it goes")
        case .store: return CommandFailure(storeReason: reason)
        case .cancelled:
            let sent = counted(report.pushed, "change")
            let left = report.pending > 0 ? " and \(report.pending) still wait" : ""
            let figure = fetched == 1 ? "1 record was" : "\(FigureText.text(fetched)) records were"
            let kept = fetched > 0 ? "; \(figure) fetched, and the next sync goes on from there" : ""
            return .interrupted(
                "\(sent) \(report.pushed == 1 ? "is" : "are") sent\(left), nothing is lost\(kept); "
                    + "run 'trendy sync' to go on")
        }
    }

    private static let adviceWhenFull =
        "update Trendy, or see them with 'trendy quarantine list' and let them go with 'trendy quarantine discard --all', "
        + "then sync again"

    private var pause: String {
        if let nextTry { return "; \(nextTry)" }
        guard let seconds = report.retryAfter else { return "; nothing is lost, try again later" }
        return "; try again in \(DurationText.text(seconds.rounded(.up))), or at once with 'trendy sync --now'"
    }
}

/// A sync report as JSON: every key is always there.
struct SyncReportJSON: Encodable {
    let report: SyncReport

    private enum CodingKeys: String, CodingKey {
        case state, pushed, pulled, pending, failing, parked, conflicts, quarantined, cursor, bootstrapped, failure,
            error
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
        try container.encode(report.failing, forKey: .failing)
        try container.encode(report.parked, forKey: .parked)
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

/// The changes that wait because the server failed on them.
struct FailingChanges {
    /// How many there are, at least one.
    let count: Int
    /// What the server failed on the first of them with.
    let error: String

    /// Nil where there are none.
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

    /// Whether the error of a past sync says that the server failed on changes, and nothing else: a sync that could not
    /// begin has another, and the same form.
    static func isOnly(in entry: SyncHistoryEntry) -> Bool {
        entry.failure == nil && entry.error?.hasPrefix(beginning) == true
    }

    /// Whether a past sync ended with what the server did, rather than without having reached it.
    static func wasReached(in entry: SyncHistoryEntry) -> Bool {
        isOnly(in: entry) || entry.failure != nil && entry.error.map { !isLostConnection($0) } ?? true
    }

    /// Whether an error says that the server was not reached, or not in time.
    private static func isLostConnection(_ error: String) -> Bool {
        error == APIError.timeout.description || error.hasPrefix(APIError.connection("").description)
    }
}
