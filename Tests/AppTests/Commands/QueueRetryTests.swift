import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Retrying many changes at once")
struct QueueRetryTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient
    private let type = makeEventType(name: "run")

    init() throws {
        shell = try TestShell()
        network = MockNetworkClient(exchange: server)
    }

    /// Events that were never sent, and whose type was deleted elsewhere.
    private func logged(_ count: Int) async throws {
        try server.create(type)
        await shell.sync(with: network)
        for _ in 0..<count { _ = try await shell.json("log", "run") }
        try server.delete(.eventType, type.id)
        await shell.sync(with: network)
    }

    @Test("a type goes before its events, in whichever order they were changed", arguments: [false, true])
    func parentsFirst(isTypeFirst: Bool) async throws {
        try server.create(type)
        let event = makeEvent(eventTypeId: type.id, timestamp: TestShell.noon)
        try server.create(event)
        await shell.sync(with: network)
        try server.delete(.eventType, type.id)
        let edits = [["edit", event.id, "--note", "here"], ["type", "edit", "run", "--color", "#112233"]]
        for words in isTypeFirst ? edits.reversed() : edits { _ = try await shell.run(words) }
        await shell.sync(with: network)
        #expect(try await shell.json("queue").array.map { $0["state"] } == ["parked", "parked"])
        let retried = try await shell.run("queue", "retry", "--all")
        #expect(retried.status == 0 && retried.output.split(separator: "\n").count == 2, "\(retried)")
        await shell.sync(with: network)
        #expect(server.records(of: .event).map { $0["notes"] } == ["here"])
        #expect(server.records(of: .eventType).map { $0["color"] } == ["#112233"])
    }

    @Test("a change whose type waits for a decision names what restores both")
    func help() async throws {
        try server.create(type)
        let event = makeEvent(eventTypeId: type.id, timestamp: TestShell.noon)
        try server.create(event)
        await shell.sync(with: network)
        try server.delete(.eventType, type.id)
        _ = try await shell.run(["type", "edit", "run", "--color", "#112233"])
        _ = try await shell.run(["edit", event.id, "--note", "here"])
        await shell.sync(with: network)
        let numbers = try await shell.json("queue").array.compactMap { $0["id"]?.doubleValue.map { "\(Int($0))" } }
        try #require(numbers.count == 2)
        let shown = try await shell.run("queue", "show", numbers[1])
        #expect(shown.output.contains("'trendy queue retry \(numbers[0]) \(numbers[1])' restores both"), "\(shown)")
        #expect(try await shell.run(["queue", "retry"] + numbers).status == 0)
    }

    @Test("what cannot go holds nothing else back, and is told with what helps")
    func others() async throws {
        try await logged(1)
        _ = try await shell.json("log", "walk", "--create-type")
        try shell.change { try $0.park(.eventType, .rejected) }
        let parked = try await shell.json("queue").array.filter { $0["state"] == "parked" }
        #expect(parked.count == 2)
        let numbers = parked.compactMap { $0["id"]?.doubleValue.map { "\(Int($0))" } }
        let retried = try await shell.run(["queue", "retry"] + numbers + ["--json"])
        #expect(retried.status == 65 && retried.errors.contains("event_type_id=NAME"), "\(retried)")
        let answers = try retried.json().array
        #expect(Set(answers.map { $0["state"] }) == ["queued", "parked"])
        for answer in answers {
            let obstacle = answer["obstacle"] ?? "none"
            #expect((obstacle == .null) == (answer["state"] == "queued"), "\(answer)")
            #expect(obstacle == .null || obstacle.stringValue?.contains("its event type was deleted") == true)
        }
    }

    @Test("one that was given by a number that is none, or twice, or was not refused, says so")
    func named() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        try shell.change { try $0.park(.event, .rejected) }
        let unknown = try await shell.run("queue", "retry", "2", "99")
        #expect(unknown.status == 65 && unknown.errors.contains("there is no change 99"), "\(unknown)")
        #expect(try await shell.json("queue").array.map { $0["state"] } == ["queued", "parked"])
        let retried = try await shell.run("queue", "retry", "1", "2", "2")
        #expect(retried.status == 65 && retried.errors.contains("change 1 is queued, not parked"), "\(retried)")
        #expect(retried.output.split(separator: "\n").count == 1, "\(retried)")
        #expect(try await shell.json("queue").array.map { $0["state"] } == ["queued", "queued"])
    }

    @Test("what cannot go for the same reason is told in one line, with the ways out")
    func summed() async throws {
        try await logged(30)
        let retried = try await shell.run("queue", "retry", "--all")
        #expect(retried.status == 65 && retried.output == "", "\(retried)")
        let lines = retried.errors.split(separator: "\n")
        #expect(lines.count == 1 && lines.first?.contains("30 changes") == true, "\(retried.errors)")
        #expect(retried.errors.contains("event_type_id=NAME") && retried.errors.contains("trendy queue drop"))
    }

    @Test("an event whose type waits to be brought back names the change that does it")
    func waitingParent() async throws {
        try server.create(type)
        let event = makeEvent(eventTypeId: type.id, timestamp: TestShell.noon)
        try server.create(event)
        await shell.sync(with: network)
        try server.delete(.eventType, type.id)
        _ = try await shell.json("edit", event.id, "--note", "here")
        _ = try await shell.json("type", "edit", "run", "--color", "#112233")
        await shell.sync(with: network)
        let refused = try await shell.run("queue", "retry", "1")
        #expect(refused.status == 65 && refused.errors.contains("'trendy queue retry 2 1'"), "\(refused)")
        #expect(try await shell.run("queue", "retry", "2", "1").status == 0)
    }
}

extension DataStoreProtocol {
    /// Parks what waits of a kind.
    fileprivate func park(_ type: EntityType, _ code: ParkReason.Code) throws {
        for mutation in try fetchMutations(MutationQuery(states: [.queued], entityType: type)) {
            var parked = mutation
            parked.state = .parked(ParkReason(code: code, message: "refused"))
            try updateMutation(parked)
        }
    }
}
