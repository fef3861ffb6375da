import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Taking back what others have decided about")
struct UndoLostRecordTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient
    /// An event of a type that was made with it, and its id. An older event is of another type.
    private let event: JSONValue
    private let id: String

    init() async throws {
        shell = try TestShell()
        network = MockNetworkClient(exchange: server)
        _ = try await shell.json("log", "coffee", "--create-type", "--note", "older")
        let logged = try await shell.json("log", "tea", "--create-type")
        event = logged
        id = try #require(logged["id"]?.stringValue)
    }

    private func notes() async throws -> [JSONValue?] { try await shell.json("list").array.map { $0["notes"] } }

    /// Another device deletes the type of the event.
    private func deleteType() async throws {
        try server.delete(.eventType, try #require(event["event_type_id"]?.stringValue))
        await shell.sync(with: network)
    }

    @Test("does not bring an event back whose type was deleted elsewhere, and reaches what is older")
    func deletedEvent() async throws {
        await shell.sync(with: network)
        _ = try await shell.json("rm", id)
        try await deleteType()
        let undone = try await shell.output("undo")
        #expect(undone.hasPrefix("undid nothing; "), "\(undone)")
        #expect(undone.hasSuffix("cannot be restored: its event type was deleted\n"), "\(undone)")
        // The creation of the event and its type: both are gone.
        #expect(try await shell.output("undo").hasPrefix("undid nothing; "))
        #expect(try await notes() == ["older"])
        #expect(try await shell.output("undo").hasPrefix("undid the creation of "))
        #expect(try await notes().isEmpty)
    }

    @Test("leaves an event in its type if its former type was deleted elsewhere, and reaches what is older")
    func movedEvent() async throws {
        _ = try await shell.json("edit", id, "--type", "coffee")
        await shell.sync(with: network)
        try await deleteType()
        let undone = try await shell.output("undo")
        #expect(undone.hasSuffix(" kept: its former event type was deleted\n"), "\(undone)")
        #expect(try await notes().count == 2)
        #expect(try await shell.output("undo").hasPrefix("undid the creation of coffee, "))
        #expect(try await notes() == ["older"])
    }

    @Test("deletes an event that went under a new id because the server had refused the first one")
    func renamedEvent() async throws {
        server.reject([id], errors: [FieldError(field: "id", message: "is ahead", code: "future")])
        await shell.sync(with: network)
        _ = try await shell.output("queue", "retry", "--all")
        await shell.sync(with: network)
        #expect(server.document(.event, id) == nil && server.records(of: .event).count == 2)
        #expect(try await shell.output("undo").hasPrefix("undid the creation of "))
        #expect(try await notes() == ["older"])
        await shell.sync(with: network)
        #expect(server.records(of: .event).count == 1 && server.records(of: .eventType).count == 1)
    }
}
