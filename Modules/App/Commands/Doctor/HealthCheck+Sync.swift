import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

extension HealthCheck {
    /// Whether what waits gets through.
    static let queue = HealthCheck(name: "queue") { scene in
        guard scene.store != .unusable else { return [] }
        guard scene.store == .sound else { return [.ok("nothing waits")] }
        let (reader, now) = (try scene.context.reader, scene.context.now)
        let counts = try reader.mutationCounts()
        let unsent = MutationQuery(states: [.queued, .sending], limit: 1)
        let sending = MutationQuery(states: [.sending], limit: 1)
        let queue = QueueHealth(
            parked: counts[.parked, default: 0], waiting: counts[.queued, default: 0] + counts[.sending, default: 0],
            oldest: try reader.mutations(unsent).first, sending: try reader.mutations(sending).first,
            failing: try FailingChanges.read(reader),
            isSyncing: try await scene.context.isSyncing,
            isSignedIn: (try? scene.context.root.signIn.current) != nil)
        return queue.findings(now: now, zone: scene.context.process.zone)
    }

    /// Whether changes have collided.
    static let conflicts = HealthCheck(name: "conflicts") { scene in
        guard scene.store != .unusable else { return [] }
        let count = scene.store == .sound ? try scene.context.reader.countDocuments(SyncConflict.self) : 0
        if count == 0 { return [.ok("none")] }
        return [
            .warning("\(counted(count, "conflict")) to be looked at", remedy: "trendy conflicts list")
        ]
    }

    /// Whether something came from the server that cannot be used.
    static let quarantine = HealthCheck(name: "quarantine") { scene in
        guard scene.store != .unusable else { return [] }
        let count = scene.store == .sound ? try scene.context.reader.countDocuments(QuarantinedChange.self) : 0
        if count == 0 { return [.ok("empty")] }
        let changes = "\(counted(count, "change")) of the server's cannot be used by this version"
        if count >= SyncConfiguration().quarantineLimit {
            return [
                .problem(
                    "\(changes), and no more are taken", remedy: "update Trendy, or 'trendy quarantine discard --all'",
                    .data)
            ]
        }
        return [.warning(changes, remedy: "trendy quarantine list")]
    }

    /// Whether this device has received what the server has, and goes on from there.
    static let feed = HealthCheck(name: "feed") { scene in
        guard scene.store != .unusable, let server = scene.server, let standing = scene.standing else { return [] }
        guard scene.store == .sound, try await !scene.context.root.engine.needsBootstrap() else {
            return [.warning("not everything was fetched from \(server) yet", remedy: "trendy sync")]
        }
        let head = try scene.context.root.engine.position().head
        return [FeedHealth.finding(standing, server: server.description, received: head)]
    }

    /// Whether a sync has left the store locked.
    static let lease = HealthCheck(name: "lease") { scene in
        guard scene.store != .unusable else { return [] }
        guard scene.store == .sound, let holder = try await scene.context.root.engine.leaseHolder() else {
            return [.ok("no sync is running")]
        }
        if holder.isHeld(at: scene.context.now) { return [.ok("\(holder.name) is syncing")] }
        return [
            .warning(
                "a sync of \(holder.name) was cut off; the next one takes over where it was", remedy: "trendy sync")
        ]
    }
}

extension CommandContext {
    /// Whether a sync is likely to be running, here or in another process.
    var isSyncing: Bool {
        get async throws { try await root.engine.leaseHolder()?.isHeld(at: now) ?? false }
    }
}

/// What there is to say about what was received.
enum FeedHealth {
    static func finding(_ standing: ServerStanding, server: String, received: Int64) -> HealthFinding {
        switch standing {
        case .received: .ok("everything was received")
        case .hasMore(let head): .ok("received up to change \(received) of \(head); the next sync goes on")
        case .replaced:
            .warning(
                "the data of \(server) was restored from a backup or reset since the last sync; the next one fetches "
                    + "everything anew, and keeps what the server has lost among the refused changes",
                remedy: "trendy sync")
        case .pruned:
            .warning(
                "\(server) has forgotten deletions that this device has not heard of; the next sync fetches everything "
                    + "anew", remedy: "trendy sync")
        }
    }
}

/// What there is to say about what waits.
struct QueueHealth {
    var parked: Int
    var waiting: Int
    /// The change that waits longest.
    var oldest: PendingMutation?
    /// The first of those that were on their way at the last look.
    var sending: PendingMutation?
    /// Those that the server has failed on; nil where there are none.
    var failing: FailingChanges?
    var isSyncing: Bool
    var isSignedIn: Bool

    /// After how many seconds a change counts as waiting long: a device in use meets its network once a day.
    static let longWait = 86_400.0
    /// After how many seconds without a sync nobody can be sending any more: thirty leases long.
    static let longSending = 3_600.0

    func findings(now: Timestamp, zone: LocalZone) -> [HealthFinding] {
        var findings: [HealthFinding] = []
        if parked > 0 {
            let verb = parked == 1 ? "was" : "were"
            findings.append(
                .problem("\(counted(parked, "change")) \(verb) refused", remedy: "trendy queue list", .data))
        }
        if let failing { findings.append(.warning(failing.message, remedy: "trendy queue list")) }
        if let sending, !isSyncing, age(sending.lastAttemptAt ?? sending.createdAt, now) > Self.longSending {
            let reason = sending.lastError.map { ": \($0)" } ?? ""
            // One without an attempt was cut off in the middle of the first, or comes from a backup.
            let fact =
                sending.lastAttemptAt.map { "has been on its way since \(zone.minuteText($0)), and no answer came" }
                ?? "may be on the server already; the next sync finds out"
            findings.append(.warning("change \(sending.id) \(fact)\(reason)", remedy: "trendy sync"))
        } else if let oldest, isSignedIn, age(oldest.createdAt, now) > Self.longWait {
            let changes = "\(counted(waiting, "change")) \(waiting == 1 ? "waits" : "wait")"
            findings.append(
                .warning("\(changes), since \(zone.minuteText(oldest.createdAt))", remedy: "trendy sync"))
        }
        if !findings.isEmpty { return findings }
        return [.ok(waiting == 0 ? "nothing waits" : "\(counted(waiting, "change")) to be sent")]
    }

    private func age(_ moment: Timestamp, _ now: Timestamp) -> Double { now.seconds(since: moment) }
}
