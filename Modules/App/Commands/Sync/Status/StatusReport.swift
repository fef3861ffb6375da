import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// How things stand, read from the store alone.
struct StatusReport: Encodable {
    var server: String?
    var isSignedIn: Bool
    /// Why it is not known who is signed in; nil where it is.
    var signInTrouble: String?
    /// Whether a sync starts by itself after a change.
    var autosync: Bool
    /// Whether such a sync waits, or one is under way.
    var isScheduled: Bool
    var email: String?
    var running: [RunningTimer]
    var counts: [String: Int]
    var pending: Int
    /// How many of those that wait were on their way when nobody was told what became of them.
    var unsure: Int
    var parked: Int
    var conflicts: Int
    var quarantined: Int
    var lastSync: Timestamp?
    /// What went wrong in the latest sync.
    var problem: String?
    var state: String
    /// Seconds until the server may be asked again.
    var retryAfter: Double?
    /// Before this moment `trendy sync --watch` sends nothing.
    var nextAttempt: Timestamp?
    /// Whether the latest sync did not reach the server.
    var isUnreached: Bool
    var store: String

    @MainActor
    static func read(_ context: CommandContext) async throws -> StatusReport {
        // What is here is shown all the same: it is in the store, and the sign-in is not.
        let (signIn, signInTrouble) = try signIn(context)
        let engine = try context.root.engine
        try await engine.loadInitialState()
        let mutations = try context.reader.mutationCounts()
        let isSignedIn = signIn?.current != nil
        var retryAfter: Double?
        if case .rateLimited(let seconds, _) = engine.state { retryAfter = seconds }
        let isSyncing = try await context.isSyncing
        let counts = try context.reader.counts()
        let latest = try context.reader.documents(SyncHistoryEntry.self).last
        let failing = try FailingChanges.read(context.reader)
        return StatusReport(
            server: signIn?.server?.description ?? context.root.configuration.server, isSignedIn: isSignedIn,
            signInTrouble: signInTrouble,
            autosync: context.root.configuration.autosync,
            isScheduled: isSyncing
                || AutosyncLock.isHeld(at: context.root.configuration.folders.autosyncLock),
            email: signIn?.current?.email,
            running: try RunningTimer.all(in: context),
            counts: Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 }),
            pending: mutations[.queued, default: 0] + mutations[.sending, default: 0],
            unsure: isSyncing ? 0 : mutations[.sending, default: 0],
            parked: mutations[.parked, default: 0],
            conflicts: try context.reader.countDocuments(SyncConflict.self),
            quarantined: try context.reader.countDocuments(QuarantinedChange.self),
            lastSync: await engine.lastSyncTime,
            problem: latest.flatMap(problem) ?? failing.map(problem),
            state: engine.state.name, retryAfter: retryAfter,
            nextAttempt: try engine.nextAttemptTime(),
            isUnreached: latest.map { !FailingChanges.wasReached(in: $0) } ?? true,
            store: context.root.configuration.folders.store)
    }

    @MainActor
    private static func signIn(_ context: CommandContext) throws -> (ServerSession?, trouble: String?) {
        do {
            return (try context.root.signIn, nil)
        } catch let error as CredentialStoreError {
            return (nil, CommandFailure(error).message)
        }
    }

    /// What ended a past sync, where that still holds; a pause has a line of its own.
    private static func problem(in entry: SyncHistoryEntry) -> String? {
        // What the server failed on is settled by the next sync, or dropped: the queue knows.
        guard let error = entry.error, entry.failure != .rateLimited, entry.failure != .cancelled,
            entry.failure != .takenOver, !FailingChanges.isOnly(in: entry)
        else { return nil }
        var report = SyncReport(failure: entry.failure, error: error)
        report.failing = entry.failure == nil ? 1 : 0
        return SyncReportText(report: report).failure?.message
    }

    /// What the server failed on and still waits: what the sync itself said of it may have been settled since.
    private static func problem(of failing: FailingChanges) -> String {
        "\(failing.message); nothing is lost, sync again later, or see 'trendy queue list'"
    }

    private enum CodingKeys: String, CodingKey {
        case server, email, autosync, running, counts, pending, parked, conflicts, quarantined, problem, problems,
            state, store
        case isSignedIn = "signed_in"
        case lastSync = "last_sync"
        case retryAfter = "retry_after"
        case nextAttempt = "next_attempt"
    }

    /// Every key is always there.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(server, forKey: .server)
        try container.encode(isSignedIn, forKey: .isSignedIn)
        try container.encode(autosync, forKey: .autosync)
        try container.encode(email, forKey: .email)
        try container.encode(running, forKey: .running)
        try container.encode(counts, forKey: .counts)
        try container.encode(pending, forKey: .pending)
        try container.encode(parked, forKey: .parked)
        try container.encode(conflicts, forKey: .conflicts)
        try container.encode(quarantined, forKey: .quarantined)
        try container.encode(lastSync, forKey: .lastSync)
        try container.encode(problem, forKey: .problem)
        try container.encode(problems, forKey: .problems)
        try container.encode(state, forKey: .state)
        try container.encode(retryAfter, forKey: .retryAfter)
        try container.encode(nextAttempt, forKey: .nextAttempt)
        try container.encode(store, forKey: .store)
    }
}

extension StatusReport {
    /// What is wrong, and what waits for the person.
    var problems: [StatusProblem] {
        var found: [StatusProblem] = []
        if let signInTrouble {
            found.append(StatusProblem(kind: .signIn, message: signInTrouble, command: nil))
        } else if !isSignedIn, let server, pending > 0 {
            found.append(
                StatusProblem(
                    kind: .signedOut, message: "nobody is signed in, so nothing is sent",
                    command: "trendy login --server \(server)"))
        }
        if let problem { found.append(StatusProblem(kind: .sync, message: problem, command: command(in: problem))) }
        if parked > 0 {
            found.append(
                StatusProblem(kind: .refused, message: counted(parked, "change"), command: "trendy queue list"))
        }
        if conflicts > 0 {
            found.append(
                StatusProblem(kind: .conflicts, message: "\(conflicts)", command: "trendy conflicts list"))
        }
        if quarantined > 0 {
            found.append(
                StatusProblem(
                    kind: .quarantine,
                    message: "\(counted(quarantined, "change")) that this version cannot use; update Trendy, then sync",
                    command: "trendy quarantine list"))
        }
        return found
    }

    /// The command that a message names first: `'trendy …'`.
    private func command(in message: String) -> String? {
        guard let start = message.firstRange(of: "'trendy ") else { return nil }
        let rest = message[message.index(after: start.lowerBound)...]
        return rest.firstIndex(of: "'").map { String(rest[..<$0]) }
    }

    /// The same for people, broken at blanks where it has to fit a screen.
    func lines(zone: LocalZone, now: Timestamp, on screen: Screen) -> [String] {
        let records = EntitySchema.trendy.types.map { type in
            counted(counts[type.entityType.rawValue, default: 0], type.entityType.displayName)
        }
        var facts: [(String, String)] = running.map { ("running", $0.text(zone: zone, now: now)) }
        facts += [
            ("account", account), ("records", records.joined(separator: ", ")),
            ("waiting", counted(pending, "change") + doubt + howItGoes),
            (
                "last sync",
                lastSync.map { "\(zone.minuteText($0)) (\(RelativeTime.text($0, now: now)))" } ?? "never"
            ),
        ]
        facts += problems.map { problem in
            let names = problem.command.map { problem.message.contains("'\($0)'") ? "" : "; see '\($0)'" } ?? ""
            return (problem.label, problem.message + names)
        }
        facts += pause(zone: zone)
        var lines = facts.flatMap { fact in Self.lines(fact.0, fact.1, on: screen) }
        // A path in pieces could not be copied.
        lines.append(Self.start("store") + store)
        return lines
    }

    /// How far the values stand from the left.
    private static let indent = 11

    private static func start(_ label: String) -> String { label.padded(toColumns: indent) }

    private static func lines(_ label: String, _ text: String, on screen: Screen) -> [String] {
        let whole = start(label) + text
        guard let limit = screen.limit, whole.columns > limit else { return [whole] }
        let pieces = TextWrap.lines(text, columns: limit - indent)
        return pieces.enumerated().map { start($0 == 0 ? label : "") + $1 }
    }

    private var account: String {
        if signInTrouble != nil { return "not known, as the sign-in cannot be read" }
        let place = server ?? "no server; 'trendy login --server URL' signs in"
        return isSignedIn ? "\(email ?? "signed in") at \(place)" : server.map { "signed out of \($0)" } ?? place
    }

    /// Which of those that wait may have got through.
    private var doubt: String {
        // What never had a server to go to is on none.
        if unsure == 0 || server == nil { return "" }
        let share = unsure < pending ? ", \(unsure) of which" : ", which"
        return "\(share) may be on the server already"
    }

    /// What becomes of that which waits.
    private var howItGoes: String {
        guard pending > 0, isSignedIn, retryAfter == nil, nextAttempt == nil else { return "" }
        guard autosync else { return "; 'trendy sync' sends" }
        return "; sent \(isScheduled ? "in the background" : "with the next change"), 'trendy sync' sends at once"
    }

    private func pause(zone: LocalZone) -> [(String, String)] {
        if let retryAfter {
            let pause = DurationText.text(retryAfter.rounded(.up))
            let command = isSignedIn ? "sync" : "login"
            return [("pause", "the server asked to wait \(pause); 'trendy \(command) --now' does not wait")]
        }
        guard let nextAttempt, isSignedIn else { return [] }
        let moment = zone.minuteText(nextAttempt)
        let who = autosync && !isScheduled ? "with the next change after \(moment)" : moment
        let reason = isUnreached ? "the server could not be reached" : "the server failed"
        return [("next try", "\(who), as \(reason); 'trendy sync' tries at once")]
    }
}
