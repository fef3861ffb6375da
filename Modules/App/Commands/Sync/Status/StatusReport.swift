import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The status, read from the store only.
struct StatusReport: Encodable {
    var server: String?
    var isSignedIn: Bool
    /// Why the sign-in cannot be read; nil if it can.
    var signInTrouble: String?
    /// Whether a change starts a sync automatically.
    var autosync: Bool
    /// Whether a background sync waits or runs.
    var isScheduled: Bool
    var email: String?
    var running: [RunningTimer]
    var counts: [String: Int]
    var pending: Int
    /// How many waiting changes were sent without an answer.
    var unsure: Int
    /// How many waiting changes wait for the server's clock.
    var early: Int
    /// Whether all changes that wait for the server's clock can be sent at once, with new ids: the clocks agree by now.
    var canEarlyGoAtOnce: Bool
    /// By how much the clocks of this device and the server differ; nil if they agree, or it is not known.
    var clockDifference: String?
    var parked: ParkedChanges
    /// How many changes were refused, by their reasons: `298 duplicate, 1 rejected`; nil where they are few.
    var refused: String?
    var conflicts: Int
    var quarantined: Int
    var lastSync: Timestamp?
    /// The error of the latest sync.
    var problem: String?
    /// Whether the error is a refusal of the sign-in that may come from an outage. Then no command is named as the remedy.
    var mayPass: Bool
    var state: String
    /// Seconds until the server accepts requests again.
    var retryAfter: Double?
    /// The earliest time of the next automatic sync.
    var nextAttempt: Timestamp?
    /// Why the next automatic sync does not begin now.
    var reasonOfPause: String
    /// The routes of the server in use; nil before the first sync.
    var routes: ServerRoutes?
    var store: String

    @MainActor
    static func read(_ context: CommandContext) async throws -> StatusReport {
        // A broken sign-in must not hide the status of the store.
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
        let (lastSync, early) = (await engine.lastSyncTime, try context.earlyMutations.count)
        // What a clock has told that was set back since is no fact of the present one.
        let isSetBack = lastSync.map { $0 > context.now } ?? false
        let reading = isSetBack ? nil : try engine.serverClock().reading
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
            early: early,
            canEarlyGoAtOnce: try reading?.differs == false && context.datedEarlyMutations.count == early,
            clockDifference: reading.flatMap(ClockHealth.difference),
            parked: try ParkedChanges.read(context.reader), refused: try RefusedChanges.read(context).crowds,
            conflicts: try context.reader.countDocuments(SyncConflict.self),
            quarantined: try context.reader.countDocuments(QuarantinedChange.self),
            lastSync: lastSync,
            problem: latest.flatMap { problem(in: $0, context) } ?? failing.map { problem(of: $0) },
            mayPass: latest?.failure == .signInFailing,
            state: engine.state.name, retryAfter: retryAfter,
            nextAttempt: try engine.nextAttemptTime(),
            reasonOfPause: latest.map(FailingChanges.reasonOfPause) ?? "the last sync failed",
            routes: try engine.routes(),
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

    /// The error of a past sync, if it still matters; a pause has its own line.
    @MainActor
    private static func problem(in entry: SyncHistoryEntry, _ context: CommandContext) -> String? {
        // Changes that the server failed on may be settled by now; the queue has the present state.
        guard let error = entry.error, entry.failure != .rateLimited, entry.failure != .cancelled,
            entry.failure != .takenOver, !FailingChanges.isOnly(in: entry)
        else { return nil }
        guard let failure = entry.failure else {
            // The error of a sync that could not begin says itself what helped then.
            let isLate = error.hasPrefix(APIError.timeout.description)
            let present = isLate ? CommandFailure.of(APIError.timeout, in: context).message : error
            return present.contains("nothing is lost") ? present : "\(present); nothing is lost"
        }
        let report = SyncReport(failure: failure, error: error)
        return SyncReportText(report: report, moreTime: context.moreTime).failure?.message
    }

    /// The problem of waiting changes that the server failed on.
    private static func problem(of failing: FailingChanges) -> String {
        "\(failing.message); nothing is lost; sync again later, or see 'trendy queue list'"
    }

    private enum CodingKeys: String, CodingKey {
        case server, email, autosync, running, counts, pending, parked, conflicts, quarantined, problem, problems,
            routes, state, store
        case routesSince = "routes_since"
        case isSignedIn = "signed_in"
        case lastSync = "last_sync"
        case retryAfter = "retry_after"
        case nextAttempt = "next_attempt"
    }

    /// Writes all keys, with null for missing values.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(server, forKey: .server)
        try container.encode(isSignedIn, forKey: .isSignedIn)
        try container.encode(autosync, forKey: .autosync)
        try container.encode(email, forKey: .email)
        try container.encode(running, forKey: .running)
        try container.encode(counts, forKey: .counts)
        try container.encode(pending, forKey: .pending)
        try container.encode(parked.count, forKey: .parked)
        try container.encode(conflicts, forKey: .conflicts)
        try container.encode(quarantined, forKey: .quarantined)
        try container.encode(lastSync, forKey: .lastSync)
        try container.encode(problem, forKey: .problem)
        try container.encode(problems, forKey: .problems)
        try container.encode(routes?.name, forKey: .routes)
        try container.encode(routes?.refusedSince, forKey: .routesSince)
        try container.encode(state, forKey: .state)
        try container.encode(retryAfter, forKey: .retryAfter)
        try container.encode(nextAttempt, forKey: .nextAttempt)
        try container.encode(store, forKey: .store)
    }
}

extension StatusReport {
    /// The problems and pending decisions.
    var problems: [StatusProblem] {
        var found: [StatusProblem] = []
        if let signInTrouble {
            found.append(StatusProblem(kind: .signIn, message: signInTrouble, command: nil))
        } else if !isSignedIn, let server, pending > 0 {
            found.append(
                StatusProblem(
                    kind: .signedOut, message: "you are not signed in, so nothing is sent",
                    command: "trendy login --server \(server)"))
        }
        if let problem {
            found.append(StatusProblem(kind: .sync, message: problem, command: mayPass ? nil : command(in: problem)))
        }
        if let message = ClockHealth.sentence(
            clockDifference, holdingBack: early, canGoAtOnce: canEarlyGoAtOnce)
        {
            found.append(StatusProblem(kind: .clock, message: message, command: command(in: message)))
        }
        if parked.refused > 0 {
            found.append(
                StatusProblem(
                    kind: .refused,
                    message: counted(parked.refused, "change") + (refused.map { " (\($0))" } ?? ""),
                    command: "trendy queue list"))
        }
        if let loss = parked.loss {
            found.append(StatusProblem(kind: .lost, message: loss, command: parked.lost.command))
        }
        let open = conflicts - parked.lost.values
        if open > 0 {
            found.append(StatusProblem(kind: .conflicts, message: "\(open)", command: "trendy conflicts list"))
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

    /// The status for people, wrapped to the screen.
    func lines(zone: LocalZone, now: Timestamp, on screen: Screen) -> [String] {
        let records = EntitySchema.trendy.types.map { type in
            counted(counts[type.entityType.rawValue, default: 0], type.entityType.displayName)
        }
        var facts: [(String, String)] = running.map { ("running", $0.text(zone: zone, now: now)) }
        facts += [
            ("account", account), ("records", records.joined(separator: ", ")),
            ("waiting", counted(pending, "change") + doubt + forTheClock + howItGoes),
            (
                "last sync",
                lastSync.map { "\(zone.minuteText($0)) (\(RelativeTime.text($0, now: now)))" } ?? "never"
            ),
        ]
        facts += problems.map { problem in
            let names = problem.command.map { problem.message.contains("'\($0)'") ? "" : "; see '\($0)'" } ?? ""
            return (problem.label, problem.message + names)
        }
        if let routes, routes.isUnusual { facts.append(("routes", routes.text(zone))) }
        facts += pause(zone: zone)
        var lines = facts.flatMap { fact in Self.lines(fact.0, fact.1, on: screen) }
        // A wrapped path could not be copied.
        lines.append(Self.start("store") + store)
        return lines
    }

    /// The column in which the values start.
    private static let indent = 11

    private static func start(_ label: String) -> String { label.padded(toColumns: indent) }

    private static func lines(_ label: String, _ text: String, on screen: Screen) -> [String] {
        let whole = start(label) + text
        guard let limit = screen.limit, whole.columns > limit else { return [whole] }
        let pieces = TextWrap.lines(text, columns: limit - indent)
        return pieces.enumerated().map { start($0 == 0 ? label : "") + $1 }
    }

    private var account: String {
        if signInTrouble != nil { return "unknown, because the sign-in cannot be read" }
        let place = server ?? "no server; sign in with 'trendy login --server URL'"
        return isSignedIn ? "\(email ?? "signed in") at \(place)" : server.map { "signed out of \($0)" } ?? place
    }

    /// The number of waiting changes that may have reached the server.
    private var doubt: String {
        // Without a server, no change can have reached one.
        if unsure == 0 || server == nil { return "" }
        let share = unsure < pending ? ", \(unsure) of which" : ", which"
        return "\(share) may have reached the server"
    }

    /// How many of the waiting changes wait for the server's clock, if some do not; the reason has its own line.
    private var forTheClock: String {
        early == 0
            ? "" : early < pending ? ", \(early) of which wait for the server's clock" : " for the server's clock"
    }

    /// When the waiting changes will be sent. Those that wait for the server's clock cannot be sent before.
    private var howItGoes: String {
        guard pending > early, isSignedIn, retryAfter == nil, nextAttempt == nil else { return "" }
        guard autosync else { return "; send them with 'trendy sync'" }
        return "; sent \(isScheduled ? "in the background" : "after the next change"), or at once with 'trendy sync'"
    }

    private func pause(zone: LocalZone) -> [(String, String)] {
        if let retryAfter {
            let pause = DurationText.wait(retryAfter)
            let command = isSignedIn ? "sync" : "login"
            return [("pause", "the server asked to wait \(pause); sync at once with 'trendy \(command) --now'")]
        }
        guard let nextAttempt, isSignedIn else { return [] }
        let moment = zone.minuteText(nextAttempt)
        let who = autosync && !isScheduled ? "after the first change from \(moment) on" : moment
        return [("next try", "\(who), because \(reasonOfPause); try at once with 'trendy sync'")]
    }
}
