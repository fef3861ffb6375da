import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// What `trendy doctor` says about syncing.
@MainActor
@Suite("trendy doctor, about syncing")
struct DoctorSyncTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient

    init() async throws {
        shell = try TestShell()
        let network = MockNetworkClient(clock: shell.clock, exchange: server)
        self.network = network
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("sync")
    }

    private func finding(_ check: String, expecting status: Int32 = 0) async throws -> JSONValue? {
        let answer = try await shell.run("doctor", "--json")
        #expect(answer.status == status, "\(answer.errors)")
        return try answer.json()["checks"]?.array.first { $0["check"] == .string(check) }
    }

    @Test("a clock that is more than a minute off is a warning")
    func clock() {
        func finding(_ lead: Double) -> HealthFinding { ClockHealth.finding(ClockReading(lead: lead, doubt: 0.5)) }
        #expect(finding(0).level == .ok && finding(60).level == .ok && finding(-60).level == .ok)
        #expect(finding(62).level == .warning && finding(-62).level == .warning)
        #expect(finding(120).message == "this device's clock is 2m ahead of the server's")
        #expect(finding(-120).message == "this device's clock is 2m behind the server's")
        #expect(finding(10).message == "this device's clock agrees with the server's (10s apart)")
        #expect(finding(3 * 86_400 + 5_000).message == "this device's clock is 3 days ahead of the server's")
        #expect(finding(-1_795_719_600).message == "this device's clock is more than a year behind the server's")
    }

    @Test("the server's clock is asked for, and its difference told")
    func askedClock() async throws {
        await network.always(
            .respond(.string(shell.clock.now().advanced(bySeconds: -300).description)), for: .serverTime)
        let finding = try await finding("clock")
        #expect(finding?["level"] == "warning")
        #expect(finding?["message"]?.stringValue?.contains("5m ahead") == true)
    }

    @Test("a sign-in that the server does not accept is a problem with the way to sign in")
    func access() async throws {
        await network.always(.fail(APIError.unauthorized("the token has expired")), for: .exchange)
        let finding = try await finding("access", expecting: 77)
        #expect(finding?["level"] == "problem")
        #expect(finding?["remedy"]?.stringValue?.contains("trendy login") == true)
    }

    @Test("what may be an outage has no command that helps for certain")
    func outageInJSON() async throws {
        await network.always(.fail(APIError.unauthorized("no" + APIError.withoutRenewal, mayPass: true)))
        _ = try await shell.run("sync")
        let status = try await shell.json("status")["problems"]
        let problem = try #require(status?.array.first)
        #expect(problem["message"]?.stringValue?.contains("may be out of order") == true)
        #expect(problem["command"] == nil)
    }

    @Test("a refusal that says nothing of the sign-in's end sends nobody to log in at once")
    func outage() async throws {
        await network.always(.fail(APIError.unauthorized("out of order", mayPass: true)))
        let answer = try await shell.run("sync")
        #expect(answer.status == 77, "\(answer)")
        #expect(answer.errors.contains("may be out of order; nothing is lost; try again later"), "\(answer.errors)")
        #expect(!answer.errors.contains("trendy login"), "\(answer.errors)")
        #expect(!answer.errors.contains("not signed in"), "\(answer.errors)")
        let history = try await shell.json("history").array
        #expect(history.first?["failure"] == "sign_in_failing")
        // What may pass is tried again by itself, soon.
        #expect(try await shell.json("status")["next_attempt"]?.stringValue != nil)
    }

    @Test("the proxy is told where a variable names one, and a wrong one is a problem")
    func proxy() async throws {
        #expect(try await finding("proxy") == nil)
        shell.environment["http_proxy"] = "http://u:secret@proxy.example:3128"
        let message = try await finding("proxy")?["message"]?.stringValue
        #expect(message == "http://127.0.0.1:1 is reached through the proxy http://proxy.example:3128 (http_proxy)")
        shell.environment["no_proxy"] = "127.0.0.0/8"
        let exempt = try await finding("proxy")?["message"]?.stringValue
        #expect(exempt == "http://127.0.0.1:1 is reached without a proxy, by no_proxy")
        shell.environment["no_proxy"] = nil
        shell.environment["http_proxy"] = "gopher://u:secret@proxy"
        let wrong = try await finding("proxy", expecting: 64)
        #expect(wrong?["level"] == "problem" && wrong?["message"]?.stringValue?.contains("http_proxy") == true)
        let sync = try await shell.run("sync")
        #expect(sync.status == 64 && sync.errors.contains("(from http_proxy) cannot be used"), "\(sync.errors)")
        #expect(!sync.errors.contains("secret"))
        #expect(try await shell.run("list").status == 0)
    }

    @Test("the day of the last comparison is told, and what came of it")
    func lastComparison() async throws {
        let before = try await finding("records")
        #expect(before?["level"] == "ok" && before?["message"]?.stringValue?.contains("never compared") == true)
        #expect(try await shell.run("doctor", "--verify").status == 0)
        shell.clock.advance(bySeconds: 3 * 86_400)
        let after = try await finding("records")?["message"]?.stringValue
        #expect(after == "compared with the server on 2026-03-10: no record differed")
        try shell.change {
            try $0.setMetadata(MetadataKey.lastComparison, #"{"at":"2026-03-01T12:00:00Z","remaining":2}"#)
        }
        let differing = try await finding("records")
        #expect(differing?["level"] == "warning" && differing?["remedy"] == "trendy doctor --verify")
        #expect(differing?["message"] == "compared with the server on 2026-03-01: 2 records differed")
    }

    @Test("how far the server's changes were received is told, and that the first sync has not ended")
    func feed() async throws {
        #expect(try await finding("feed")?["message"] == "all changes were received")
        try server.create(makeEventType(name: "tea"))
        let behind = try await finding("feed")
        #expect(
            behind?["level"] == "ok"
                && behind?["message"] == "received changes up to 1 of 2; the next sync fetches the others")
        try shell.change { try $0.setMetadata("exchange", nil) }
        #expect(try await finding("feed")?["level"] == "warning")
    }

    @Test("a server that was restored or has forgotten deletions is a warning: the next sync takes care of it")
    func replacedFeed() async throws {
        let known = makeEventType(name: "tea")
        try server.create(known)
        let copy = server.backup()
        try server.change(.eventType, known.id, ["name": "green tea"])
        _ = try await shell.json("sync")
        server.restore(copy)
        try await expectFetchedAnew()
        let type = makeEventType(name: "short-lived")
        try server.create(type)
        try server.delete(.eventType, type.id)
        server.pruneTombstones()
        try await expectFetchedAnew()
    }

    private func expectFetchedAnew() async throws {
        let finding = try await finding("feed")
        #expect(finding?["level"] == "warning" && finding?["remedy"] == "trendy sync")
        #expect(finding?["message"]?.stringValue?.contains("fetches all records") == true)
        #expect(try await shell.json("sync")["bootstrapped"] == true)
        #expect(try await self.finding("feed")?["level"] == "ok")
    }

    @Test("refused changes are a problem; ones that wait for a day or are on their way for an hour a warning")
    func queue() {
        let now = TestShell.noon
        func findings(
            refused: Int = 0, lost: Int = 0, oldest: Double? = nil, sending: Double? = nil,
            failing: FailingChanges? = nil,
            isSyncing: Bool = false, isSignedIn: Bool = true
        ) -> [HealthFinding.Level] {
            func mutation(_ age: Double?) -> PendingMutation? {
                age.map { makeMutation(createdAt: now.advanced(bySeconds: -$0)) }
            }
            let health = QueueHealth(
                parked: ParkedChanges(refused: refused, lost: LostChanges(records: lost)),
                waiting: oldest == nil ? 0 : 3,
                oldest: mutation(oldest), sending: mutation(sending),
                failing: failing, isSyncing: isSyncing, isSignedIn: isSignedIn)
            return health.findings(now: now, zone: .utc).map(\.level)
        }
        #expect(findings() == [.ok])
        #expect(findings(oldest: 86_000) == [.ok] && findings(oldest: 86_500) == [.warning])
        #expect(findings(oldest: 86_500, isSignedIn: false) == [.ok])
        #expect(
            findings(oldest: 3_500, sending: 3_500) == [.ok] && findings(oldest: 3_700, sending: 3_700) == [.warning])
        #expect(findings(oldest: 3_700, sending: 3_700, isSyncing: true) == [.ok])
        let failing = FailingChanges([(error: "boom", count: 2)])
        #expect(findings(oldest: 10, failing: failing) == [.warning])
        #expect(findings(refused: 1) == [.problem] && findings(lost: 2, oldest: 90_000) == [.problem, .warning])
    }

    @Test("a change that the server failed on is told at once, with what it said and where to see it")
    func failing() async throws {
        let boom = APIError.http(status: 500, problem: ProblemDetails(detail: "boom"))
        await network.beforeEachCall { call in if call.exchange?.mutations.isEmpty == false { throw boom } }
        _ = try await shell.json("type", "add", "tea")
        #expect(try await shell.run("sync").status == 69)
        let finding = try await finding("queue")
        #expect(finding?["level"] == "warning" && finding?["remedy"] == "trendy queue list")
        #expect(
            finding?["message"]?.stringValue?.hasPrefix("the server failed on 1 change: ") == true,
            "\(String(describing: finding))")
        #expect(try await shell.run("status").output.contains("trouble    the server failed on 1 change: "))
    }

    @Test("the queue, the conflicts and what waits aside are checked in the store")
    func stored() async throws {
        try shell.change { store in
            var mutation = makeMutation(createdAt: shell.clock.now(), state: .queued)
            mutation.state = .parked(ParkReason(code: .rejected, message: "no"))
            try store.insertMutation(mutation)
            try store.putDocument(
                SyncConflict(
                    id: "c", kind: .field, entityType: .event, entityId: testId(1), localValue: "a", remoteValue: "b",
                    detectedAt: shell.clock.now()))
            let entry = ChangeEntry(id: 9, entityType: "mood", operation: .update, entityId: testId(2))
            try store.putDocument(
                QuarantinedChange(id: "mood-9", entry: entry, reason: "unknown", receivedAt: shell.clock.now()))
        }
        #expect(try await finding("queue", expecting: 65)?["remedy"] == "trendy queue list")
        #expect(try await finding("conflicts", expecting: 65)?["level"] == "warning")
        #expect(try await finding("quarantine", expecting: 65)?["remedy"] == "trendy quarantine list")
    }

    @Test("a sync whose process has died is told, one that runs is no trouble")
    func lease() async throws {
        let end = shell.clock.now().advanced(bySeconds: 60).description
        func hold(_ owner: String) throws {
            let row = #"{"owner":"\#(owner)","token":"t","expiresAt":"\#(end)"}"#
            try shell.change { try $0.setMetadata(MetadataKey.lease, row) }
        }
        try hold(LeaseOwner.process.name)
        #expect(try await finding("lease")?["level"] == "ok")
        // No process has so large a number.
        let host = LeaseOwner.process.name.split(separator: "@", maxSplits: 1).last ?? ""
        try hold("999999999@\(host)")
        let found = try await finding("lease")
        #expect(found?["level"] == "warning" && found?["remedy"] == "trendy sync")
    }

    @Test("records that belong to nothing are told")
    func references() async throws {
        #expect(try await finding("references")?["level"] == "ok")
        try shell.change { try $0.upsert(LocalRecord(makeEvent(), syncStatus: .synced)) }
        let found = try await finding("references")
        #expect(found?["level"] == "warning")
        #expect(found?["message"] == "1 event belongs to a missing event type")
    }

    @Test("an event whose type is gone waits for a decision, and each advice for it leads on")
    func goneType() async throws {
        let types = try await shell.json("type", "list").array
        let type = try #require(types.first?["id"]?.stringValue)
        _ = try await shell.json("type", "add", "walk")
        _ = try await shell.json("sync")
        try server.delete(.eventType, type)
        _ = try await shell.json("log", "run")
        _ = try await shell.run("sync")
        let found = try await finding("references", expecting: 65)
        #expect(found?["message"] == "1 event belongs to a missing event type, and waits for your decision")
        let change = try #require(try await shell.json("queue").array.first)
        let id = try #require(change["id"]?.doubleValue).formatted(.number.grouping(.never))
        #expect(change["state"] == "parked" && found?["remedy"] == .string("trendy queue show \(id)"))
        let help = try await shell.output("queue", "show", id)
        #expect(help.contains("'trendy queue edit \(id) event_type_id=NAME' sets another one"), "\(help)")
        for arguments in [[id], ["--all"]] {
            let retried = try await shell.run(["queue", "retry"] + arguments)
            #expect(retried.status == 65 && retried.errors.contains("event_type_id=NAME"), "\(retried)")
        }
        #expect(try await shell.json("queue").array.map { $0["state"] } == ["parked"])
        #expect(try await shell.run("queue", "edit", id, "event_type_id=wlak").errors.contains("did you mean"))
        let edited = try await shell.output("queue", "edit", id, "event_type_id=walk")
        #expect(edited.contains("will be sent by the next sync"), "\(edited)")
        #expect(try await shell.json("sync")["parked"] == 0)
        #expect(try await finding("references")?["level"] == "ok")
    }

    @Test("room for one more copy of the store and its log is enough, and none for the log is a problem")
    func disk() {
        func level(_ free: Int64, store: Int64) -> HealthFinding.Level {
            DiskHealth.finding(free: free, store: store, folder: "/home").level
        }
        #expect(level(1_000_000_000, store: 900_000_000) == .ok)
        #expect(level(1_000_000_000, store: 990_000_000) == .warning)
        #expect(level(DiskHealth.log, store: 0) == .ok && level(DiskHealth.log - 1, store: 0) == .problem)
    }
}

/// `trendy doctor --verify` and `--repair`.
@MainActor
@Suite("trendy doctor --verify")
struct DoctorVerifyTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient
    private let coffee = makeEventType(name: "coffee")
    private let events: [Event]

    init() async throws {
        shell = try TestShell()
        let network = MockNetworkClient(clock: shell.clock, exchange: server)
        self.network = network
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        try server.create(coffee)
        events = (0..<25).map { [coffee] in makeEvent(eventTypeId: coffee.id, notes: "note \($0)") }
        for event in events { try server.create(event) }
        _ = try await shell.json("sync")
    }

    private func tamper() throws {
        try shell.change { store in
            for event in events[0..<22] { try store.delete(Event.self, id: event.id) }
            var changed = LocalRecord(events[22], syncStatus: .synced)
            changed.entity.notes = "tampered"
            try store.upsert(changed)
        }
    }

    @Test("says that all is well where it is")
    func clean() async throws {
        let answer = try await shell.run("doctor", "--verify")
        #expect(answer.status == 0)
        #expect(answer.output.contains("ok       records     all 26 records of the server are equal here"))
        #expect(answer.output.contains("KIND                 HERE  SERVER  WAITING  DIGEST"))
        #expect(answer.output.contains("event                25    25      0        equal  "))
        let json = try await shell.json("doctor", "--verify")["verification"]
        #expect(json?["clean"] == true && json?["repair"] == false && json?["differences"]?.array == [])
        #expect(json?["kinds"]?.array.map { $0["here"] } == [1, 0, 0, 25])
        #expect(try await shell.json("doctor")["verification"] == .null)
    }

    @Test("a pause that the server wants is no comparison: it says when there can be one, and exits with 75")
    func pause() async throws {
        let end = shell.clock.now().advanced(bySeconds: 90).description
        try shell.change {
            try $0.setMetadata(MetadataKey.breaker, #"{"refusals":3,"trips":1,"silentUntil":"\#(end)"}"#)
        }
        for options in [["--verify"], ["--verify", "--repair"]] {
            let answer = try await shell.run(["doctor"] + options)
            #expect(answer.status == 75, "\(answer.output)")
            #expect(answer.output.contains("asked to wait for 90 s"))
            #expect(answer.output.contains("nothing was compared, because the server asked to wait"))
            #expect(answer.output.contains("verify again in 1m 30s"), "\(answer.output)")
        }
    }

    @Test("shows twenty differences and counts the others, and --json has all; the exit code is that of bad data")
    func differences() async throws {
        try tamper()
        let answer = try await shell.run("doctor", "--verify")
        #expect(answer.status == 65)
        #expect(answer.output.contains("23 records differ from what the server has; trendy doctor --verify --repair"))
        let short = ShortId.of(events[0].id)
        #expect(answer.output.contains("event \(short)  only on the server\n"))
        #expect(answer.output.contains("… and 3 more; --json has all"))
        let json = try #require(try await shell.run("doctor", "--verify", "--json").json()["verification"])
        #expect(json["differences"]?.array.count == 23)
        let changed = json["differences"]?.array.first { $0["id"] == .string(events[22].id) }
        #expect(changed?["kind"] == "fields" && changed?["outcome"] == "found")
        #expect(changed?["fields"] == [["field": "notes", "here": "tampered", "there": "note 22"]])
    }

    @Test("--repair mends them and ends well, and then there are none")
    func repair() async throws {
        try tamper()
        let answer = try await shell.run("doctor", "--repair")
        #expect(answer.status == 0, "\(answer.output)")
        #expect(answer.output.contains("23 differences were repaired"))
        #expect(answer.output.contains("only on the server; replaced by the server's record"))
        let later = try await shell.run("doctor").output
        #expect(later.contains("23 records differed, and all were repaired or wait for you"), "\(later)")
        let second = try await shell.json("doctor", "--verify")["verification"]
        #expect(second?["clean"] == true && second?["differences"]?.array == [])
    }

    @Test("without a sign-in there is nothing to compare with, and the way to one is told")
    func signedOut() async throws {
        shell.environment["TRENDY_TOKEN"] = nil
        let answer = try await shell.run("doctor", "--verify", "--json")
        #expect(answer.status == 77)
        #expect(try answer.json()["verification"] == .null)
        let line = try answer.json()["checks"]?.array.first { $0["check"] == "records" }
        #expect(line?["level"] == "problem" && line?["remedy"]?.stringValue?.contains("trendy login") == true)
    }

    @Test("ends with the code of what stopped it")
    func stopped() async throws {
        await network.always(.fail(APIError.timeout), for: .exchange)
        let answer = try await shell.run("doctor", "--verify", "--json")
        #expect(answer.status == 69)
        #expect(try answer.json()["verification"]?["failure"] == "unreachable")
        await network.always(nil, for: .exchange)
        try shell.change { try $0.setMetadata("exchange", nil) }
        let needy = try await shell.run("doctor", "--verify", "--json")
        #expect(needy.status == 65)
        #expect(try needy.json()["verification"]?["needs_sync"] == true)
    }
}
