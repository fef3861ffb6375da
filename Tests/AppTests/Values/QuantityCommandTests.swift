import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Logging numbers with units")
struct QuantityCommandTests {
    private func shell() async throws -> TestShell {
        let shell = try TestShell()
        for arguments in [["type", "add", "run"], ["prop", "add", "run", "distance", "--kind", "number"]] {
            #expect(try await shell.run(arguments).status == 0)
        }
        return shell
    }

    private func label(_ shell: TestShell) async throws -> String? {
        try await shell.json("prop", "list", "run").array.first?["label"]?.stringValue
    }

    private func distance(_ event: JSONValue) -> JSONValue? { event["properties"]?["distance"] }

    @Test("the first unit goes into the label, later ones are converted, and undo takes both back")
    func naming() async throws {
        let shell = try await shell()
        let first = try await shell.run("log", "run", "distance=5km")
        #expect(first.output.contains("; the unit of distance is now km"))
        #expect(try await label(shell) == "distance (km)")
        let second = try await shell.json("log", "run", "distance=1500 m")
        #expect(distance(second) == .object(["type": .string("number"), "value": .number(1.5)]))
        #expect(try await shell.run("log", "run", "distance=2kg").status == 65)
        for _ in 0..<2 { #expect(try await shell.run("undo").status == 0) }
        #expect(try await label(shell) == "distance")
        #expect(try await shell.json("list").array.isEmpty)
    }

    @Test("a property in inches is not 'in in'")
    func inches() async throws {
        let shell = try await shell()
        #expect(
            try await shell.run("log", "run", "distance=5in").output.contains("; the unit of distance is now inches"))
        let refused = try await shell.run("log", "run", "distance=2kg")
        #expect(refused.errors.contains("it is in inches (length)"), "\(refused.errors)")
        #expect(refused.errors.contains("write a number of inches"), "\(refused.errors)")
        #expect(try await label(shell) == "distance (in)")
    }

    @Test("edit and timers name units, too")
    func otherCommands() async throws {
        let shell = try await shell()
        #expect(try await shell.run("start", "run").status == 0)
        shell.clock.advance(bySeconds: 60)
        #expect(try await shell.run("stop", "distance=3mi").output.contains("is now mi"))
        #expect(try await label(shell) == "distance (mi)")
        let id = try #require(try await shell.json("list").array.first?["id"]?.stringValue)
        #expect(try await shell.run("edit", id, "distance=10km").status == 0)
        #expect(try await shell.json("show", id)["properties"]?["distance"]?["value"] == .number(6.21371192237))
    }

    @Test(
        "a length of time without a unit is in the one that label or key name, else in seconds",
        arguments: [
            ("jog", "Duration (min)", "30", 1800.0), ("minutes", "minutes", "30", 1800),
            ("jog", "Stunden", "1.5", 5400),
            ("sleep", "Sleep [h]", "7", 25_200), ("hold_s", "hold_s", "30", 30), ("jog", "jog", "30", 30),
            ("jog", "Minuten", "45s", 45), ("rest", "Rest of the day", "90", 90), ("mins", "Time (net)", "2", 120),
            ("jog", "Time (m)", "2", 120),
        ])
    func lengths(key: String, label: String, text: String, seconds: Double) throws {
        var definition = makePropertyDefinition(key: key, propertyType: .duration)
        definition.label = label
        let texts = PropertyText(times: WhenParser(now: Timestamp(milliseconds: 0), zone: .utc))
        #expect(try texts.read(text, as: definition).value == .duration(seconds))
        // Files count in seconds, as 'export csv' writes them.
        let alone = try texts.parse(text, as: definition)
        #expect(alone == .duration(text == "45s" ? seconds : try #require(Double(text))))
    }

    @Test("lines that disagree on the unit are refused as a whole")
    func lines() async throws {
        let shell = try await shell()
        let answer = try await shell.run("log", "-", input: "run distance=5km\nrun distance=3mi\n")
        #expect(answer.status == 65)
        #expect(answer.errors.contains("line 2") && answer.errors.contains("use one unit"))
        #expect(try await shell.run("log", "-", input: "run distance=5km\nrun distance=3km\n").status == 0)
    }

    @Test("a unit that the shell made a word of its own is pointed out")
    func looseUnit() async throws {
        let answer = try await shell().run("log", "run", "distance=5", "km")
        #expect(answer.status == 64)
        #expect(answer.errors.contains("write distance=5km"))
    }
}
