import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Conflicts and history")
struct ConflictCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// A logged event whose note lost against one from elsewhere.
    private func conflict(_ ids: String...) async throws -> String {
        let event = try await shell.json("log", "run", "--create-type", "--note", "here")
        let entityId = try #require(event["id"]?.stringValue)
        try shell.change { store in
            for id in ids {
                try store.putDocument(
                    SyncConflict(
                        id: id, kind: .field, entityType: .event, entityId: entityId, field: "notes",
                        localValue: "here", remoteValue: "elsewhere", detectedAt: TestShell.noon))
            }
        }
        return entityId
    }

    @Test("conflicts are listed and shown with both sides, and every key in JSON")
    func list() async throws {
        #expect(try await shell.run("conflicts").output == "no conflicts\n")
        let entityId = try await conflict("aa11-one", "bb22-two")
        let listed = try await shell.json("conflicts").array
        #expect(listed.count == 2 && listed[0]["entity_id"] == .string(entityId))
        let keys: Set = [
            "id", "kind", "entity_type", "entity_id", "field", "key", "local_value", "remote_value", "losing_side",
            "lost_by_server", "detected_at",
        ]
        #expect(Set(listed[0].objectValue?.keys.map { $0 } ?? []) == keys)
        let text = try await shell.run("conflicts", "list").output
        #expect(text.contains("'here'") && text.contains("'elsewhere'"))
        let shown = try await shell.run("conflicts", "show", "aa").output
        #expect(shown.contains("trendy conflicts restore") && shown.contains("elsewhere"))
    }

    @Test("a record that was deleted and is here again is said to be, with what the two ways out do")
    func hereAgain() async throws {
        let event = try await shell.json("log", "run", "--create-type", "--note", "here")
        let entityId = try #require(event["id"]?.stringValue)
        try shell.change { store in
            try store.putDocument(
                SyncConflict(
                    id: "aa11-one", kind: .deletedHereEditedElsewhere, entityType: .event, entityId: entityId,
                    localValue: .null, remoteValue: ["notes": "elsewhere"], detectedAt: TestShell.noon))
        }
        let shown = try await shell.run("conflicts", "show", "aa").output
        #expect(shown.contains("exists again") && shown.contains("keeps it as it is"), "\(shown)")
        #expect(try await shell.run("rm", entityId).status == 0)
        let gone = try await shell.run("conflicts", "show", "aa").output
        #expect(!gone.contains("exists again") && gone.contains("leaves it deleted"), "\(gone)")
    }

    @Test("a record whose type was deleted here is not promised to be created again, but the way back is told")
    func typeDeletedHere() async throws {
        let event = try await shell.json("log", "run", "--create-type", "--note", "here")
        let entityId = try #require(event["id"]?.stringValue)
        let fields = try #require(try shell.stores.makeReader().fields(of: .event, id: entityId))
        #expect(try await shell.run("type", "rm", "run", "--yes").status == 0)
        try shell.change { store in
            try store.putDocument(
                SyncConflict(
                    id: "aa11-one", kind: .deletedHereEditedElsewhere, entityType: .event, entityId: entityId,
                    localValue: .null, remoteValue: .object(fields), detectedAt: TestShell.noon))
        }
        let shown = try await shell.output("conflicts", "show", "aa11")
        #expect(shown.contains("the event type of the event") && shown.contains("'trendy undo'"), "\(shown)")
        #expect(!shown.contains("creates the record again"), "\(shown)")
        let refused = try await shell.run("conflicts", "restore", "aa11")
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("the event type of the event"), "\(refused.errors)")
        #expect(refused.errors.contains("'trendy undo'"), "\(refused.errors)")
        #expect(try await shell.run("undo").status == 0)
        let restorable = try await shell.output("conflicts", "show", "aa11")
        #expect(restorable.contains("takes the edits") && !restorable.contains("was deleted:"), "\(restorable)")
    }

    @Test("a conflict is named by any beginning or end that is its alone")
    func naming() async throws {
        _ = try await conflict("aa11-one", "aa22-two")
        #expect(try await shell.json("conflicts", "show", "aa1")["id"] == "aa11-one")
        #expect(try await shell.json("conflicts", "show", "two")["id"] == "aa22-two")
        let ambiguous = try await shell.run("conflicts", "show", "aa")
        #expect(ambiguous.status == 65 && ambiguous.errors.contains("aa22-two"))
        let unknown = try await shell.run("conflicts", "dismiss", "zz")
        #expect(unknown.status == 65 && unknown.errors.contains("trendy conflicts list"))
    }

    @Test("restoring takes the value that lost, dismissing leaves what won")
    func resolve() async throws {
        _ = try await conflict("aa11-one", "bb22-two")
        #expect(try await shell.run("conflicts", "dismiss", "bb22").status == 0)
        #expect(try await shell.json("list").array.first?["notes"] == "here")
        #expect(try await shell.json("status")["conflicts"] == 1)
        let restored = try await shell.run("conflicts", "restore", "aa11").output
        #expect(restored.hasPrefix("restored event"))
        #expect(restored.hasSuffix(": notes is 'elsewhere' now, it was 'here'\n"), "\(restored)")
        #expect(try await shell.json("list").array.first?["notes"] == "elsewhere")
        #expect(try await shell.json("conflicts") == [])
    }

    @Test("all are dismissed at once, and nobody names others beside them")
    func dismissAll() async throws {
        #expect(try await shell.run("conflicts", "dismiss", "--all").output == "no conflicts\n")
        _ = try await conflict("aa11-one", "bb22-two")
        for words in [["--all", "aa11"], []] {
            #expect(try await shell.run(["conflicts", "dismiss"] + words).status == 64, "\(words)")
        }
        #expect(try await shell.json("conflicts").array.count == 2)
        #expect(try await shell.json("conflicts", "dismiss", "--all").array.count == 2)
        #expect(try await shell.json("conflicts") == [])
        #expect(try await shell.json("list").array.first?["notes"] == "here")
    }

    @Test("dismissing asks before a record goes with it")
    func dismissRecord() async throws {
        let server = ExchangeServer()
        let network = MockNetworkClient(exchange: server)
        let id = try #require(try await shell.json("log", "run", "--create-type")["id"]?.stringValue)
        await shell.sync(with: network)
        try server.delete(.event, id)
        _ = try await shell.json("edit", id, "--note", "kept here")
        await shell.sync(with: network)
        let listed = try await shell.json("conflicts").array
        let conflict = try #require(listed.first?["id"]?.stringValue)
        let unasked = try await shell.run("conflicts", "dismiss", conflict)
        #expect(unasked.status == 64 && unasked.errors.contains("delete the event"), "\(unasked)")
        #expect(try await shell.json("list").array.first?["notes"] == "kept here")
        #expect(try await shell.run("conflicts", "dismiss", conflict, "--yes").status == 0)
        #expect(try await shell.json("list") == [])
    }

    @Test("what cannot be restored any more says so and stays listed")
    func gone() async throws {
        let id = try await conflict("aa11-one")
        #expect(try await shell.run("rm", id).status == 0)
        let shown = try await shell.output("conflicts", "show", "aa11")
        #expect(shown.contains("the event was deleted here") && !shown.contains("conflicts restore"), "\(shown)")
        let answer = try await shell.run("conflicts", "restore", "aa11")
        #expect(answer.status == 65 && answer.errors.contains("was deleted here"))
        #expect(answer.errors.contains("'trendy conflicts dismiss"), "\(answer.errors)")
        #expect(try await shell.json("conflicts").array.count == 1)
    }

    @Test("a record whose type was deleted says with which commands it is put back, and they do it")
    func deletedType() async throws {
        let server = ExchangeServer()
        let network = MockNetworkClient(exchange: server)
        let event = try await shell.json("log", "run", "--create-type")
        let id = try #require(event["id"]?.stringValue)
        let typeId = try #require(event["event_type_id"]?.stringValue)
        await shell.sync(with: network)
        try server.delete(.eventType, typeId)
        _ = try await shell.json("edit", id, "--note", "kept here")
        await shell.sync(with: network)
        let conflict = try #require(try await shell.json("conflicts").array.first?["id"]?.stringValue)
        let listed = try await shell.output("conflicts")
        #expect(listed.contains("changed here, deleted on another device with its event type"), "\(listed)")
        let refused = try await shell.run("conflicts", "restore", conflict)
        #expect(refused.status == 65 && !refused.errors.contains(typeId), "\(refused.errors)")
        let waiting = try await shell.json("queue").array.first { $0["state"] == "parked" }
        let number = "\(Int(try #require(waiting?["id"]?.doubleValue)))"
        #expect(refused.errors.contains("'trendy queue edit \(number) event_type_id=NAME'"), "\(refused.errors)")
        #expect(refused.errors.contains("'trendy queue retry \(number)'"), "\(refused.errors)")
        _ = try await shell.json("log", "swim", "--create-type")
        #expect(try await shell.run("queue", "edit", number, "event_type_id=swim").status == 0)
        #expect(try await shell.run("queue", "retry", number).status == 0)
        #expect(try await shell.json("conflicts") == [])
    }

    @Test("a reference to what is gone is not offered to be restored")
    func goneParent() async throws {
        let event = try await shell.json("log", "run", "--create-type")
        let entityId = try #require(event["id"]?.stringValue)
        try shell.change { store in
            try store.putDocument(
                SyncConflict(
                    id: "cc33-type", kind: .field, entityType: .event, entityId: entityId, field: "event_type_id",
                    localValue: event["event_type_id"] ?? .null, remoteValue: .string(TestShell.eventId(77)),
                    detectedAt: TestShell.noon))
        }
        let shown = try await shell.output("conflicts", "show", "cc33")
        #expect(shown.contains("the former event type was deleted") && !shown.contains("restore cc33"), "\(shown)")
        #expect(try await shell.run("conflicts", "restore", "cc33").status == 65)
        #expect(try await shell.run("conflicts", "dismiss", "cc33").status == 0)
    }

    @Test("history shows the past syncs, newest first, no more than asked for")
    func history() async throws {
        #expect(try await shell.run("history").output == "no syncs yet\n")
        let network = MockNetworkClient(exchange: ExchangeServer())
        let engine = SyncEngine(networkClient: network, dataStoreFactory: shell.stores, wallClock: shell.clock)
        _ = try await shell.json("type", "add", "run")
        _ = await engine.performSync()
        shell.clock.advance(bySeconds: 60)
        // The smallest request follows one without an answer.
        await network.enqueue(.fail(APIError.timeout), times: 2, for: .exchange)
        _ = await engine.performSync()
        let past = try await shell.json("history").array
        #expect(past.map { $0["failure"] } == ["unreachable", .null])
        #expect(past[1]["pushed"] == 1 && past[1]["error"] == .null)
        #expect(try await shell.json("history", "--limit", "1").array.map { $0["failure"] } == ["unreachable"])
        #expect(try await shell.run("history").output.contains("did not answer in time"))
        #expect(try await shell.run("history", "--limit", "0").status == 64)
    }
}
