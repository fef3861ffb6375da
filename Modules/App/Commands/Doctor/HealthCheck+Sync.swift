import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

extension HealthCheck {
    /// Whether waiting changes reach the server.
    static let queue = HealthCheck(name: "queue") { scene in
        guard scene.store != .unusable else { return [] }
        guard scene.store == .sound else { return [.ok("no changes wait")] }
        let (reader, now) = (try scene.context.reader, scene.context.now)
        let counts = try reader.mutationCounts()
        let unsent = MutationQuery(states: [.queued, .sending], limit: 1)
        let sending = MutationQuery(states: [.sending], limit: 1)
        var parked = try ParkedChanges.read(reader)
        // Another check reports the conflicts.
        parked.lost.values = 0
        let queue = QueueHealth(
            parked: parked, waiting: counts[.queued, default: 0] + counts[.sending, default: 0],
            oldest: try reader.mutations(unsent).first, sending: try reader.mutations(sending).first,
            failing: try FailingChanges.read(reader),
            isSyncing: try await scene.context.isSyncing,
            isSignedIn: (try? scene.context.root.signIn.current) != nil)
        return queue.findings(now: now, zone: scene.context.process.zone)
    }

    /// Whether there are conflicts.
    static let conflicts = HealthCheck(name: "conflicts") { scene in
        guard scene.store != .unusable else { return [] }
        let count = scene.store == .sound ? try scene.context.reader.countDocuments(SyncConflict.self) : 0
        if count == 0 { return [.ok("none")] }
        return [
            .warning("\(counted(count, "conflict")) to decide", remedy: "trendy conflicts list")
        ]
    }

    /// Whether the server sent changes that this version cannot use.
    static let quarantine = HealthCheck(name: "quarantine") { scene in
        guard scene.store != .unusable else { return [] }
        let count = scene.store == .sound ? try scene.context.reader.countDocuments(QuarantinedChange.self) : 0
        if count == 0 { return [.ok("empty")] }
        let changes = "this version cannot use \(counted(count, "change")) from the server"
        if count >= SyncConfiguration().quarantineLimit {
            return [
                .problem(
                    "\(changes), and the quarantine is full",
                    remedy: "update Trendy, or 'trendy quarantine discard --all'",
                    .data)
            ]
        }
        return [.warning(changes, remedy: "trendy quarantine list")]
    }

    /// Whether this device has received all changes of the server.
    static let feed = HealthCheck(name: "feed") { scene in
        guard scene.store != .unusable, let server = scene.server, let standing = scene.standing else { return [] }
        guard scene.store == .sound, try await !scene.context.root.engine.needsBootstrap() else {
            return [.warning("not all records were fetched from \(server) yet", remedy: "trendy sync")]
        }
        let head = try scene.context.root.engine.position().head
        return [FeedHealth.finding(standing, server: server.description, received: head)]
    }

    /// Whether an interrupted sync has left its lock.
    static let lease = HealthCheck(name: "lease") { scene in
        guard scene.store != .unusable else { return [] }
        guard scene.store == .sound, let holder = try await scene.context.root.engine.leaseHolder() else {
            return [.ok("no sync is running")]
        }
        if holder.isHeld(at: scene.context.now) { return [.ok("\(holder.name) is syncing")] }
        return [
            .warning(
                "a sync of \(holder.name) was interrupted; the next sync continues it", remedy: "trendy sync")
        ]
    }
}

extension CommandContext {
    /// Whether a sync is probably running, here or in another process.
    var isSyncing: Bool {
        get async throws { try await root.engine.leaseHolder()?.isHeld(at: now) ?? false }
    }
}

/// The state of the change feed.
enum FeedHealth {
    static func finding(_ standing: ServerStanding, server: String, received: Int64) -> HealthFinding {
        switch standing {
        case .received: .ok("all changes were received")
        case .hasMore(let head): .ok("received changes up to \(received) of \(head); the next sync fetches the others")
        case .replaced:
            .warning(
                "the data of \(server) was restored or reset after the last sync; the next sync fetches all records, "
                    + "and lists what the server lost",
                remedy: "trendy sync")
        case .pruned:
            .warning(
                "\(server) removed old deletions that this device did not receive; the next sync fetches all records",
                remedy: "trendy sync")
        }
    }
}

/// The state of the queue.
struct QueueHealth {
    var parked: ParkedChanges
    var waiting: Int
    /// The oldest waiting change.
    var oldest: PendingMutation?
    /// The first change that is marked as being sent.
    var sending: PendingMutation?
    /// The changes that the server failed on; nil if there are none.
    var failing: FailingChanges?
    var isSyncing: Bool
    var isSignedIn: Bool

    /// The age in seconds at which a waiting change is a warning: most devices have a network once a day.
    static let longWait = 86_400.0
    /// The time in seconds after which no process can still be sending: thirty leases.
    static let longSending = 3_600.0

    func findings(now: Timestamp, zone: LocalZone) -> [HealthFinding] {
        var findings: [HealthFinding] = []
        if let facts = parked.facts { findings.append(.problem(facts, remedy: "trendy queue list", .data)) }
        if let failing { findings.append(.warning(failing.message, remedy: "trendy queue list")) }
        if let sending, !isSyncing, age(sending.lastAttemptAt ?? sending.createdAt, now) > Self.longSending {
            let reason = sending.lastError.map { ": \($0)" } ?? ""
            // A change without an attempt was interrupted in its first one, or comes from a backup.
            let fact =
                sending.lastAttemptAt.map { "was sent at \(zone.minuteText($0)), and no answer came" }
                ?? "may have reached the server; the next sync checks that"
            findings.append(.warning("change \(sending.id) \(fact)\(reason)", remedy: "trendy sync"))
        } else if let oldest, isSignedIn, age(oldest.createdAt, now) > Self.longWait {
            let changes = "\(counted(waiting, "change")) \(waiting == 1 ? "waits" : "wait")"
            findings.append(
                .warning("\(changes), since \(zone.minuteText(oldest.createdAt))", remedy: "trendy sync"))
        }
        if !findings.isEmpty { return findings }
        return [.ok(waiting == 0 ? "no changes wait" : "\(counted(waiting, "change")) to be sent")]
    }

    private func age(_ moment: Timestamp, _ now: Timestamp) -> Double { now.seconds(since: moment) }
}
