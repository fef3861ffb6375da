import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@Suite("Numbers with units")
struct QuantityTextTests {
    private func definition(_ key: String, _ label: String? = nil) -> PropertyDefinition {
        var definition = makePropertyDefinition(key: key, propertyType: .number)
        definition.label = label ?? key
        return definition
    }

    @Test(
        "a number is converted into the unit that label or key name",
        arguments: [
            ("km", "km", "5km", 5), ("km", "km", "5 KM", 5), ("km", "km", "500m", 0.5), ("km", "km", "5mi", 8.04672),
            ("distance_km", "distance_km", "3 miles", 4.828032), ("distanceKm", "distanceKm", "800 metres", 0.8),
            ("distance", "Distance (km)", "1km200m", 1.2), ("distance", "Distance in km", "-2km", -2),
            ("weight", "Weight [kg]", "180lb", 81.6466266), ("weight", "Weight [kg]", "11 st 4 lb", 71.66759446),
            ("height", "height (cm)", "5ft 3in", 160.02), ("dose_mg", "dose_mg", "0.5g", 500),
            ("dose_mg", "dose_mg", "250 µg", 0.25), ("water_ml", "water_ml", "1.5l", 1500),
            ("water", "Water (l)", "2 cups", 0.473176473), ("minutes", "minutes", "1h30m", 90),
            ("minutes", "minutes", "1h30", 90),
            ("time_h", "time_h", "90m", 1.5), ("sleep", "Sleep (hours)", "7h45m", 7.75),
            ("energy", "Energy (kJ)", "100kcal", 418.4), ("length_m", "length_m", "1km", 1000),
            ("pulse", "Pulse (bpm)", "60bpm", 60), ("pages", "pages", "30 pages", 30), ("page", "Page", "1pages", 1),
            ("battery", "Battery (%)", "80%", 80), ("km", "km", "1e1", 10), ("km", "km", " 7.5 ", 7.5),
        ])
    func converted(key: String, label: String, text: String, expected: Double) throws {
        #expect(
            try QuantityText.read(text, as: definition(key, label)) == QuantityText.Reading(number: expected))
    }

    @Test(
        "the first unit that is written is what the property counts, where it names none",
        arguments: [
            ("5km", 5, "km"), ("1h30m", 90, "min"), ("5ft3in", 63, "in"), ("2.5 kilos", 2.5, "kg"), ("500m", 500, "m"),
        ])
    func adopted(text: String, number: Double, unit: String) throws {
        #expect(
            try QuantityText.read(text, as: definition("amount"))
                == QuantityText.Reading(number: number, newUnit: unit))
    }

    @Test(
        "what does not fit is refused with what would",
        arguments: [
            ("km", "5kg", "length"), ("km", "5kilometer!", "no unit"), ("km", "5 parsec", "'parsec'"),
            ("km", "5kmm", "did you mean 'mm'"), ("pulse (bpm)", "5km", "it is in bpm"), ("km", "5km3", "number"),
            ("km", "km", "number"), ("km", "five km", "number"), ("km", "5,5km", "; write 5.5km"),
            ("km", "5,5 km", "; write '5.5 km'"), ("km", "-3,5", "a number with a decimal point; write -3.5"),
            ("km", "1,234", "; write 1.234, or 1234 where the comma"), ("km", "1,2,3", "like 12.5"),
            ("amount", "5km3kg", "together"),
            ("amount", "1..5km", "number"), ("amount", "5ms", nil), ("km", "1h", "duration"), ("km", "", "number"),
        ] as [(String, String, String?)])
    func refused(label: String, text: String, part: String?) {
        guard let part else {
            #expect(throws: Never.self) { try QuantityText.read(text, as: definition("p", label)) }
            return
        }
        #expect { try QuantityText.read(text, as: definition("p", label)) } throws: { "\($0)".contains(part) }
    }

    @Test("no spelling means two units of one dimension")
    func spellings() {
        for spelling in QuantityUnit.spellings {
            let found = QuantityUnit.all(named: spelling)
            #expect(!found.isEmpty && Set(found.map(\.dimension)).count == found.count, "\(spelling)")
        }
    }
}

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
        #expect(first.output.contains("; distance is in km from now on"))
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
            try await shell.run("log", "run", "distance=5in").output.contains("; distance is in inches from now on"))
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
        #expect(try await shell.run("stop", "distance=3mi").output.contains("in mi from now on"))
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
        #expect(answer.errors.contains("write distance=5km in one word"))
    }
}
