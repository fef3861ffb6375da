import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Events that a query chooses are changed together")
struct ChosenEventsTests {
    private let shell: TestShell

    init() async throws {
        shell = try await QueryScene.shell()
        _ = try await shell.makeType("walk")
        _ = try await shell.output("prop", "add", "walk", "km", "--kind", "number", "--label", "Distance (km)")
    }

    private func count(_ words: String...) async throws -> Int {
        try await shell.run(["list", "--json"] + words).json().array.count
    }

    @Test("without a terminal nothing is changed unless --yes is there, and what would be is said")
    func consent() async throws {
        for words in [["rm", "c"], ["edit", "c", "size=large"], ["rm", "c", "size=small", "or", "tea"]] {
            let answer = try await shell.run(words)
            #expect(answer.status == 64 && answer.errors.contains("add --yes to confirm"), "\(answer.errors)")
        }
        #expect(try await shell.run("rm", "c").errors.contains("this would delete 2 events (Café 2)"))
        #expect(try await count("c") == 2)
    }

    @Test("properties, notes and types are changed, and come back at once")
    func editing() async throws {
        let before = try await shell.output("list", "--json")
        #expect(
            try await shell.output("edit", "c or tea", "price=9", "--note", "x", "--yes")
                == "changed 3 events (Café 2, tea 1)\n")
        #expect(try await count("price=9 note=x") == 3)
        #expect(
            try await shell.output("edit", "c", "price=9", "--yes").contains(
                "changed 0 of 2 events (Café 2); the others"))
        #expect(try await shell.output("undo").contains("undid the change of 3 events"))
        #expect(try await shell.output("list", "--json") == before)
        let strange = try await shell.run("edit", "run km<1", "--type", "walk", "--yes")
        #expect(
            strange.errors.contains("with --clear-prop due --clear-prop rest --clear-prop wet"), "\(strange.errors)")
        #expect(try await shell.run("edit", "run km>1", "--type", "walk", "--yes").status == 0)
        #expect(try await count("walk") == 1)
        #expect(try await shell.run("edit", "c", "--at", "9:00", "--yes").errors.contains("change one event only"))
        #expect(try await shell.run("edit", "c", "km=3", "--yes").errors.contains("has no property 'km'"))
        #expect(
            try await shell.run("edit", "c", "--clear-prop", "kms", "--yes").errors.contains(
                "has a property 'kms'"))
    }

    @Test("--add-type logs an event of another type beside each, once")
    func adding() async throws {
        let words = ["edit", "run km<1", "--add-type", "walk", "--yes"]
        #expect(try await shell.output(words) == "logged 1 event of walk\n")
        #expect(try await shell.output(words) == "logged 0 events of walk, 1 existed already\n")
        let walk = try #require(try await shell.json("list", "walk").array.first)
        let run = try #require(try await shell.json("list", "run km<1").array.first)
        #expect(walk["timestamp"] == run["timestamp"] && walk["end_date"] == run["end_date"])
        #expect(walk["properties"]?["km"] == run["properties"]?["km"] && walk["properties"]?["rest"] == nil)
        #expect(try await shell.output("undo").contains("walk"))
        #expect(try await count("walk") == 0)
        #expect(try await shell.output("edit", "last", "--add-type", "walk").contains("logged 1 event of walk"))
    }

    @Test("thousands of events, some of them synced, are deleted in one change and come back")
    func many() async throws {
        let network = MockNetworkClient()
        let tea = try #require(
            try await shell.json("type", "list").array.first { $0["name"] == .string("tea") }?["id"]?.stringValue)
        func add(_ numbers: Range<Int>) async throws {
            let clock = shell.clock
            let events = numbers.map { number in
                Event(
                    id: testId(UInt64(number) + 10_000), eventTypeId: tea,
                    timestamp: clock.now().advanced(byMilliseconds: -Int64(number)),
                    properties: ["price": .number(Double(number))])
            }
            try await shell.engine.perform { writes in for event in events { try writes.create(event) } }
        }
        try await add(0..<700)
        await shell.sync(with: network)
        try await add(700..<1_400)
        #expect(try await shell.output("rm", "tea", "price<1300", "--yes") == "deleted 1,301 events (tea 1,301)\n")
        #expect(try await count("tea") == 100)
        #expect(try await shell.output("undo").contains("undid the deletion of 1"))
        #expect(try await count("tea") == 1_401)
    }

    @Test("ids go on to name events, and a word that is neither is told")
    func ids() async throws {
        #expect(try await shell.output("rm", "e0000003").contains("deleted tea"))
        #expect(try await shell.run("rm", "deadbeef").errors.contains("there is no event 'deadbeef'"))
        #expect(try await shell.run("edit", "nothing", "size=large").errors.contains("there is no type 'nothing'"))
        #expect(try await shell.run("rm", "", "--yes").status == 64)
        #expect(try await shell.output("rm", "price>99", "--yes") == "no events match; nothing was deleted\n")
        #expect(try await count() == 5)
    }
}
