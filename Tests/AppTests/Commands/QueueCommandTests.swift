import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Acting on the queue")
struct QueueCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// A type with an event of it, both parked: changes 1 and 2.
    private func parked() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--note", "too long")
        try await shell.engine.clearPendingMutations()
    }

    @Test("'trendy queue' is 'trendy queue list', with the JSON that it always had")
    func list() async throws {
        try await parked()
        let plain = try await shell.json("queue")
        #expect(plain == (try await shell.json("queue", "list")))
        let keys: Set = [
            "id", "client_request_id", "entity_type", "operation", "entity_id", "state", "created_at", "attempts",
            "last_error", "last_attempt_at", "reason", "payload", "waits_for", "waits_until",
        ]
        #expect(Set(plain.array.first?.objectValue?.keys.map { $0 } ?? []) == keys)
        #expect(try await shell.run("queue").output.contains("the queue was cleared"))
    }

    @Test("queue list --all shows what is settled, and what became of it")
    func listAll() async throws {
        let event = try #require(try await shell.json("log", "run", "--create-type")["id"]?.stringValue)
        await shell.sync(with: MockNetworkClient(exchange: ExchangeServer()))
        _ = try await shell.output("edit", event, "--note", "later")
        _ = try await shell.output("rm", event)
        #expect(try await shell.json("queue").array.count == 1)
        let all = try await shell.json("queue", "list", "--all").array
        #expect(all.map { $0["state"] } == ["accepted", "accepted", "merged", "queued"])
        #expect(all.map { $0["merged_into"] } == [.null, .null, 4, .null])
        #expect(all.first?["settled_at"]?.stringValue?.isEmpty == false && all.last?["settled_at"] == .null)
        let text = try await shell.run("queue", "list", "--all").output
        #expect(text.contains("SETTLED") && text.contains("into 4"))
    }

    @Test("queue show tells everything about one change, and what helps")
    func show() async throws {
        try await parked()
        let text = try await shell.run("queue", "show", "2").output
        #expect(text.contains("too long") && text.contains("the queue was cleared"))
        #expect(text.contains("trendy queue retry 2") && text.contains("trendy queue drop 2"))
        #expect(try await shell.json("queue", "show", "2")["state"] == "parked")
        let unknown = try await shell.run("queue", "show", "99")
        #expect(unknown.status == 65 && unknown.errors.contains("trendy queue list"))
    }

    @Test("queue show says what helps where the server failed on a change, and nothing of one that just waits")
    func failing() {
        func help(_ error: String?) -> String? {
            QueuedMutation(
                PendingMutation(
                    id: 7, clientRequestId: "key", entityType: .event, operation: .create, entityId: "one",
                    createdAt: TestShell.noon, attempts: error == nil ? 0 : 3, lastError: error)
            ).help
        }
        #expect(help(nil) == nil)
        #expect(help("the server failed (500)") == "sync again later, or drop it with 'trendy queue drop 7'")
    }

    @Test("queue list and show name the refused change that another one waits for")
    func held() async throws {
        try await parked()
        _ = try await shell.run("queue", "retry", "2")
        _ = try await shell.run("type", "edit", "run", "--color", "#112233")
        #expect(try await shell.json("queue").array.map { $0["waits_for"] }.prefix(2) == [.null, 1])
        #expect(try await shell.run("queue").output.contains("waits for change 1, which cannot be sent yet"))
        #expect(try await shell.run("queue", "show", "2").output.contains("trendy queue show 1"))
        _ = try await shell.run("queue", "retry", "1")
        #expect(try await shell.json("queue").array.allSatisfy { $0["waits_for"] == .null })
    }

    @Test("queue edit refuses a name that another record has, whatever its case")
    func editTakenName() async throws {
        try await parked()
        _ = try await shell.json("type", "add", "tea")
        let taken = try await shell.run("queue", "edit", "1", "name=TEA")
        #expect(taken.status == 65 && taken.errors.contains("exists already"))
        #expect(try await shell.run("queue", "edit", "1", "name=RUN").status == 0)
    }

    @Test("queue retry sends what was refused again, some or all")
    func retry() async throws {
        try await parked()
        #expect(try await shell.json("queue", "retry", "1").array.map { $0["state"] } == ["queued"])
        #expect(try await shell.json("queue").array.map { $0["state"] } == ["queued", "parked"])
        #expect(try await shell.run("queue", "retry", "1").status == 65)
        #expect(try await shell.run("queue", "retry", "--all").output.contains("will be sent by the next sync"))
        #expect(try await shell.json("queue").array.map { $0["state"] } == ["queued", "queued"])
        #expect(try await shell.run("queue", "retry", "--all").output == "no refused changes\n")
        #expect(try await shell.json("queue", "retry", "--all") == [])
        #expect(try await shell.run("queue", "retry").status == 64)
        #expect(try await shell.run("queue", "retry", "1", "--all").status == 64)
    }

    @Test("queue edit reads every kind of value by the field that it is for")
    func edit() async throws {
        try await parked()
        let answer = try await shell.run(
            "queue", "edit", "2", "notes=123", "is_all_day=true", "location_latitude=1.5", "location_longitude=-2",
            "timestamp=yesterday 9:15", "--json")
        #expect(answer.status == 0, "\(answer.errors)")
        let payload = try #require(try answer.json()["payload"])
        #expect(payload["notes"] == "123" && payload["is_all_day"] == true)
        #expect(payload["location_latitude"] == 1.5 && payload["location_longitude"] == -2)
        #expect(payload["timestamp"] == "2026-03-09T09:15:00.000Z")
        #expect(try answer.json()["state"] == "queued")
        #expect(try await shell.json("list").array.first?["notes"] == "123")
        _ = try await shell.run("queue", "edit", "2", "--clear", "notes")
        #expect(try await shell.json("list").array.first?["notes"] ?? .null == .null)
    }

    @Test("queue edit says which refused changes wait on for a retry")
    func editHelp() async throws {
        let help = try await shell.output("queue", "edit", "--help")
        #expect(help.contains("'trendy queue retry NUMBER' restores it"), "\(help)")
        _ = try await shell.json("log", "run", "--create-type")
        let reason = ParkReason(code: .deletedElsewhere, message: "the event was deleted elsewhere")
        try shell.change { store in
            var change = try #require(try store.fetchMutations(MutationQuery()).first { $0.id == 2 })
            change.state = .parked(reason)
            try store.updateMutation(change)
        }
        let edited = try await shell.output("queue", "edit", "2", "notes=x")
        #expect(edited.contains("waits: 'trendy queue retry 2'"), "\(edited)")
    }

    @Test("queue edit names the field that is wrong, and changes nothing")
    func editRefused() async throws {
        try await parked()
        let before = try await shell.json("queue")
        let typo = try await shell.run("queue", "edit", "2", "note=x")
        #expect(typo.status == 65 && typo.errors.contains("did you mean 'notes'"))
        #expect(try await shell.run("queue", "edit", "2", "is_all_day=perhaps").status == 65)
        let invalid = try await shell.run("queue", "edit", "2", "location_latitude=95")
        #expect(invalid.status == 65 && invalid.errors.contains("location_latitude"))
        for usage in [["notes"], ["=x"], [], ["notes=a", "notes=b"]] {
            #expect(try await shell.run(["queue", "edit", "2"] + usage).status == 64, "\(usage)")
        }
        #expect(try await shell.run("queue", "edit", "99", "notes=x").status == 65)
        #expect(try await shell.json("queue") == before)
    }

    @Test("queue drop says what goes with a change, and refuses without a terminal or --yes")
    func drop() async throws {
        try await parked()
        let refused = try await shell.run("queue", "drop", "1")
        #expect(refused.status == 64 && refused.errors.contains("--yes"))
        #expect(
            refused.errors.contains("1 event type and 1 event are deleted") && refused.errors.contains("1 more change"))
        #expect(try await shell.json("queue").array.count == 2)
        let dropped = try await shell.json("queue", "drop", "1", "2", "--yes").array
        #expect(dropped.count == 1 && dropped[0]["dropped"] == [1, 2])
        #expect(dropped[0]["removed"] == ["event_type": 1, "event": 1])
        #expect(try await shell.json("list") == [])
        #expect(try await shell.json("queue") == [])
        let again = try await shell.run("queue", "drop", "1", "--yes")
        #expect(again.status == 65 && again.errors.contains("dropped already"))
    }

    @Test("what is no number of a change is named, with the command that lists them")
    func noNumber() async throws {
        try await parked()
        for words in [
            ["drop", "x", "--yes"], ["drop", "1", "x", "--yes"], ["retry", "x"], ["show", "x"],
            ["edit", "x", "notes=a"],
        ] {
            let answer = try await shell.run(["queue"] + words)
            #expect(answer.status == 64, "\(words)")
            #expect(
                answer.errors == "trendy: 'x' is not the number of a change; 'trendy queue' lists the numbers\n",
                "\(words)")
        }
        #expect(try await shell.json("queue").array.count == 2)
    }

    @Test("what is being sent is neither dropped nor edited, and the exit code says to try later")
    func sending() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        try shell.leaveUnanswered(1)
        try holdLease()
        for arguments in [["drop", "1", "--yes"], ["edit", "1", "name=x"]] {
            let answer = try await shell.run(["queue"] + arguments)
            #expect(answer.status == 75 && answer.errors.contains("may have arrived; sync, then look"))
        }
    }

    @Test("what went without an answer is dropped where no sync is running, and deleted where it did arrive")
    func unanswered() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        try shell.leaveUnanswered(2)
        _ = try await shell.json("queue", "drop", "2", "--yes")
        #expect(try await shell.json("list").array.isEmpty)
        #expect(try await shell.json("queue").array.map { $0["operation"] } == ["create", "delete"])
    }

    private func holdLease() throws {
        let end = shell.clock.now().advanced(bySeconds: 60).description
        let row = #"{"owner":"\#(LeaseOwner.process.name)","token":"t","expiresAt":"\#(end)"}"#
        try shell.change { try $0.setMetadata(MetadataKey.lease, row) }
    }

    @Test("what nobody sends any more is shown as unsure, and as sending while a sync is running")
    func unsure() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        _ = try await shell.json("log", "run", "--create-type")
        try shell.leaveUnanswered(1)
        let list = try await shell.output("queue", "list")
        #expect(list.contains("unsure") && list.contains("it may have reached the server; the next sync checks that"))
        #expect(try await shell.output("queue", "show", "1").contains("unsure"))
        // Programs are told how it is stored.
        #expect(try await shell.json("queue", "list").array.map { $0["state"] } == ["sending", "queued"])
        #expect(try await shell.output("status").contains("2 changes, 1 of which may have reached the server"))
        try holdLease()
        #expect(try await !shell.output("queue", "list").contains("unsure"))
        #expect(try await !shell.output("status").contains("may have reached the server"))
    }
}
