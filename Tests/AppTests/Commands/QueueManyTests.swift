import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Deciding about many refused changes at once")
struct QueueManyTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// A type, and so many events of it that a server has refused because their time is taken; one was refused for
    /// another reason.
    private func collided(_ count: Int = 12) async throws {
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("type", "add", "walk")
        await shell.sync(with: MockNetworkClient(exchange: ExchangeServer()))
        for _ in 0...count { _ = try await shell.json("log", "run") }
        try shell.change { store in
            for (number, queued) in try store.fetchMutations(MutationQuery(states: [.queued])).enumerated() {
                var mutation = queued
                mutation.state = .parked(number == count ? Self.odd : Self.taken)
                try store.updateMutation(mutation)
            }
        }
    }

    private static let odd = ParkReason(code: .rejected, message: "the server answered 400: no")
    private static let taken = ParkReason(
        code: .rejected, message: "the server has another event with this timestamp",
        fields: [FieldError(field: "timestamp", message: "is taken", code: "duplicate")],
        answer: ServerAnswer(status: 500, text: "pq: duplicate key"))

    private func states() async throws -> [String: Int] {
        try await shell.json("queue").array.reduce(into: [:]) { $0[$1["state"]?.stringValue ?? "", default: 0] += 1 }
    }

    @Test("status, sync and queue say in one line how many there are of each reason, and which command decides")
    func told() async throws {
        try await collided()
        let status = try await shell.run("status").output
        #expect(status.contains("13 changes (12 duplicate, 1 rejected); see 'trendy queue list'"))
        let lines = try await shell.run("queue").output.split(separator: "\n")
        #expect(lines.count == 1 + 13 + 1)
        #expect(lines.last?.hasPrefix("12 changes with the reason duplicate: 'trendy queue retry --reason dup") == true)
        let chosen = try await shell.json("queue", "list", "--reason", "duplicate").array
        #expect(chosen.count == 12)
        #expect(try await shell.json("queue", "list", "--reason", "rejected", "--kind", "event").array.count == 13)
        #expect(try await shell.json("queue", "list", "--kind", "type").array.isEmpty)
        let shown = try await shell.run("queue", "show", "3").output
        #expect(shown.contains("500: pq: duplicate key") && shown.contains("queue edit 3"))
        let refused = RefusedChanges(try shell.stores.makeDataStore().fetchMutations(MutationQuery()))
        #expect(refused.message.contains("'trendy queue list --reason duplicate'"))
        #expect(refused.message.hasPrefix("13 changes were refused (12 duplicate, 1 rejected): the server has another"))
    }

    @Test("retry, edit and drop take all of a reason, and leave the others")
    func decided() async throws {
        try await collided()
        let edited = try await shell.run("queue", "edit", "--reason", "duplicate", "event_type_id=walk")
        #expect(edited.status == 0 && edited.output.split(separator: "\n").count == 12)
        #expect(try await states() == ["queued": 12, "parked": 1])
        #expect(try await shell.json("list", "walk").array.count == 12)
        #expect(try await shell.run("queue", "retry", "--reason", "rejected").status == 0)
        #expect(try await states() == ["queued": 13])
    }

    @Test("one that cannot be edited so keeps no other from it")
    func anotherKind() async throws {
        try await collided()
        _ = try await shell.json("type", "add", "swim")
        try shell.change { store in
            for var mutation in try store.fetchMutations(MutationQuery(states: [.queued])) {
                mutation.state = .parked(Self.taken)
                try store.updateMutation(mutation)
            }
        }
        let edited = try await shell.run("queue", "edit", "--reason", "duplicate", "event_type_id=walk")
        #expect(edited.status == 65 && edited.output.split(separator: "\n").count == 12)
        #expect(edited.errors.contains("there is no field 'event_type_id'"), "\(edited.errors)")
        #expect(edited.errors.contains("12 changes of 13 were edited"), "\(edited.errors)")
        #expect(try await states() == ["queued": 12, "parked": 2])
    }

    @Test("a reason is also known by the code that JSON has, and then by all that share it")
    func codes() async throws {
        try await collided()
        let code = try await shell.json("queue").array.last?["reason"]?["code"]?.stringValue
        #expect(code == "rejected")
        #expect(try await shell.json("queue", "list", "--reason", "rejected").array.count == 13)
        #expect(try await shell.run("queue", "drop", "--help").output.contains("or a code of its --json"))
        #expect(try await shell.json("queue", "drop", "--reason", "rejected", "--yes").array.count == 13)
        #expect(try await states() == [:])
    }

    @Test("drop asks once, and says the whole in one line", arguments: ["--all", "--reason=duplicate"])
    func dropped(option: String) async throws {
        try await collided()
        let count = option == "--all" ? 13 : 12
        let refused = try await shell.run("queue", "drop", option)
        #expect(refused.status == 64 && refused.errors.contains("\(count) changes: \(count) events are deleted"))
        let answer = try await shell.run("queue", "drop", option, "--yes")
        #expect(answer.output == "dropped \(count) changes: \(count) events are deleted\n")
        #expect(try await shell.json("queue").array.count == 13 - count)
    }

    @Test("retry says the whole in one line, and so does JSON for each")
    func retried() async throws {
        try await collided()
        let answer = try await shell.run("queue", "retry", "--reason", "duplicate")
        #expect(answer.output == "12 changes will be sent by the next sync\n")
        #expect(try await shell.json("queue", "retry", "--all").array.count == 1)
        #expect(try await states() == ["queued": 13])
    }

    @Test("a choice that means nothing is refused, with what there is")
    func refusedChoices() async throws {
        try await collided()
        let before = try await shell.json("queue")
        let unknown = try await shell.run("queue", "drop", "--reason", "taken", "--yes")
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("no refused change has the reason 'taken'; there are duplicate, rejected"))
        for words in [
            ["drop"], ["drop", "3", "--all"], ["retry", "3", "--reason", "duplicate"], ["edit", "notes=x"],
            ["edit", "3", "--reason", "duplicate", "notes=x"], ["list", "--all", "--reason", "duplicate"],
            ["list", "--kind", "meal"], ["edit", "--reason", "duplicate"],
        ] {
            #expect(try await shell.run(["queue"] + words).status == 64, "\(words)")
        }
        #expect(try await shell.json("queue") == before)
    }
}
