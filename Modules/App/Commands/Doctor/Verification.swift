import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The comparison of all records with the server.
@MainActor
struct Verification {
    /// The label of its line.
    nonisolated static let name = "records"

    let context: CommandContext

    /// Runs the comparison. The report is nil if it could not start.
    func run(repairing: Bool) async -> (findings: [HealthFinding], report: StoreAuditReport?) {
        let report: StoreAuditReport
        do {
            // Without a sign-in, or with that of another account, nothing can be compared.
            try await SyncAuthorization(context: context).require()
            let engine = try context.root.engine
            report = try await SyncProgress(context: context).during { await engine.audit(repairing: repairing) }
        } catch {
            return ([.problem(CommandFailure.of(error, in: context))], nil)
        }
        return ([VerificationText(report: report).finding], report)
    }
}

extension Verification {
    /// What is known of the last comparison; no finding where nobody is signed in, and there was none.
    func last() async -> [HealthFinding] {
        do {
            guard let last = try await context.root.engine.lastComparison() else {
                let isSignedIn = (try? context.root.signIn.current) != nil
                return isSignedIn ? [.ok("never compared with the server; 'trendy doctor --verify' does that")] : []
            }
            let fact = "compared with the server on \(context.process.zone.dayText(last.at)): \(Self.outcome(of: last))"
            return [last.remaining == 0 ? .ok(fact) : .warning(fact, remedy: "trendy doctor --verify")]
        } catch {
            return [.problem(CommandFailure.of(error, in: context))]
        }
    }

    private static func outcome(of comparison: LastComparison) -> String {
        let found = comparison.found ?? comparison.remaining
        let differed = found == 0 ? "no record differed" : "\(counted(found, "record")) differed"
        if found == comparison.remaining { return differed }
        if comparison.remaining > 0 { return "\(differed), and \(comparison.remaining) could not be repaired" }
        return "\(differed), and \(found == 1 ? "was repaired or waits" : "all were repaired or wait") for you"
    }
}

/// The comparison for people.
struct VerificationText {
    let report: StoreAuditReport

    /// How many differences are shown; `--json` has all.
    static let limit = 20

    /// The result in one line.
    var finding: HealthFinding {
        if report.sync.failure == .rateLimited { return paused }
        if report.sync.failure != nil {
            let ended = SyncReport(
                retryAfter: report.sync.retryAfter, failure: report.sync.failure, error: report.sync.error)
            return .problem(
                SyncReportText(report: ended).failure ?? CommandFailure(.software, "the comparison ended early"))
        }
        if report.needsSync {
            return .problem(
                "not all records were fetched yet, so nothing was compared", remedy: "trendy sync", .data)
        }
        let remaining = report.remaining.count
        if remaining > 0 { return problem(remaining) }
        let count = report.differences.count
        if count == 0 {
            return .ok("all \(report.kinds.reduce(0) { $0 + $1.there }) records of the server are equal here")
        }
        let parked = report.differences.count { $0.outcome == .parked }
        if parked > 0 { return decision(parked) }
        let queued = report.differences.count { $0.outcome == .queued }
        let sent = queued == 0 ? "" : ", \(queued) of them by the next sync"
        return .ok("\(counted(count, "difference")) \(count == 1 ? "was" : "were") repaired\(sent)")
    }

    /// A comparison that the server's pause has stopped is a problem: it does not show that nothing differs.
    private var paused: HealthFinding {
        let extent = report.kinds.isEmpty ? "nothing was compared" : "not everything was compared"
        let moment = report.sync.retryAfter.map { "in \(DurationText.wait($0))" } ?? "later"
        return .problem("\(extent), because the server asked to wait", remedy: "verify again \(moment)", .tryLater)
    }

    /// A record that was deleted on the server is not deleted here without the person.
    private func decision(_ parked: Int) -> HealthFinding {
        let fact = parked == 1 ? "1 record was deleted on the server" : "\(parked) records were deleted on the server"
        return .problem(
            "\(fact); keep or drop \(parked == 1 ? "it" : "them")",
            remedy: "trendy queue list --reason \(ParkReason.Code.deletedElsewhere.rawValue)", .data)
    }

    private func problem(_ remaining: Int) -> HealthFinding {
        let records = counted(remaining, "record")
        if report.isRepair {
            return .problem("\(records) could not be repaired", remedy: "see the reasons below", .data)
        }
        return .problem(
            "\(records) \(remaining == 1 ? "differs" : "differ") from what the server has",
            remedy: "trendy doctor --verify --repair", .data)
    }

    /// A table of the kinds, and a line for each difference.
    var lines: [String] {
        if report.kinds.isEmpty { return [] }
        var table = TextTable("KIND", "HERE", "SERVER", "WAITING", "DIGEST")
        for kind in report.kinds {
            table.add(
                kind.entityType.displayName, "\(kind.here)", "\(kind.there)", "\(kind.waiting)", Self.digest(kind))
        }
        return table.lines + remarks + differences
    }

    private static func digest(_ kind: StoreAuditReport.Kind) -> String {
        let here = kind.digestHere.description.prefix(16)
        return kind.isEqual ? "equal  \(here)" : "differs  \(here) here, \(kind.digestThere.description.prefix(16))"
    }

    private var remarks: [String] {
        let unusable = report.kinds.reduce(0) { $0 + $1.unusable }
        if unusable == 0 { return [] }
        return ["this version cannot use \(counted(unusable, "record")) of the server"]
    }

    private var differences: [String] {
        let all = report.differences
        let shown = all.prefix(Self.limit).map(Self.line)
        return shown + (all.count > shown.count ? ["… and \(all.count - shown.count) more; --json has all"] : [])
    }

    private static func line(_ difference: RecordDifference) -> String {
        let record = "\(difference.entityType.displayName) \(ShortId.of(difference.entityId))"
        return TextTable.singleLine("\(record)  \(facts(difference.kind))\(outcome(difference.outcome))")
    }

    private static func facts(_ kind: RecordDifference.Kind) -> String {
        switch kind {
        case .onlyHere: "only here"
        case .onlyThere: "only on the server"
        case .unreadable(let reason): "cannot be read here (\(reason))"
        case .fields(let fields):
            fields.map {
                "\($0.field) is '\(JSONValueText.of($0.here))', on the server '\(JSONValueText.of($0.there))'"
            }
            .joined(separator: ", ")
        }
    }

    private static func outcome(_ outcome: RecordDifference.Outcome) -> String {
        switch outcome {
        case .found: ""
        case .broughtIn: "; replaced by the server's record"
        case .queued: "; the next sync sends it"
        case .parked: "; deleted on the server: you decide"
        case .left(let reason): "; left: \(reason)"
        }
    }
}

/// The comparison as JSON; all keys are always present.
struct VerificationJSON: Encodable {
    let report: StoreAuditReport

    func encode(to encoder: any Encoder) throws {
        try JSONFields([
            "repair": report.isRepair, "clean": report.isClean, "needs_sync": report.needsSync,
            "kinds": report.kinds.map(Kind.init), "differences": report.differences.map(Difference.init),
            "failure": report.sync.failure, "error": report.sync.error,
        ]).encode(to: encoder)
    }

    private struct Kind: Encodable {
        let kind: StoreAuditReport.Kind

        func encode(to encoder: any Encoder) throws {
            try JSONFields([
                "entity_type": kind.entityType, "here": kind.here, "there": kind.there, "waiting": kind.waiting,
                "unusable": kind.unusable, "equal": kind.isEqual,
                "digest_here": kind.digestHere.description, "digest_there": kind.digestThere.description,
            ]).encode(to: encoder)
        }
    }

    private struct Difference: Encodable {
        let difference: RecordDifference

        func encode(to encoder: any Encoder) throws {
            try JSONFields([
                "entity_type": difference.entityType, "id": difference.entityId, "kind": kind, "outcome": outcome,
                "reason": reason, "fields": fields,
            ]).encode(to: encoder)
        }

        /// The differing fields; empty if one side has no record.
        private var fields: [JSONFields] {
            guard case .fields(let differing) = difference.kind else { return [] }
            return differing.map { JSONFields(["field": $0.field, "here": $0.here, "there": $0.there]) }
        }

        private var kind: String {
            switch difference.kind {
            case .onlyHere: "only_here"
            case .onlyThere: "only_there"
            case .fields: "fields"
            case .unreadable: "unreadable"
            }
        }

        private var outcome: String {
            switch difference.outcome {
            case .found: "found"
            case .broughtIn: "brought_in"
            case .queued: "queued"
            case .parked: "parked"
            case .left: "left"
            }
        }

        /// Why a record cannot be read, or a difference was not repaired.
        private var reason: String? {
            if case .left(let reason) = difference.outcome { return reason }
            if case .unreadable(let reason) = difference.kind { return reason }
            return nil
        }
    }
}
