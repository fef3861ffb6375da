import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Columns that are named like properties")
struct KnownColumnTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func importing(_ text: String, _ options: String...) async throws -> TestShell.Answer {
        let path = try shell.home.write(text, to: "in.csv")
        return try await shell.run(["import", "csv", path, "--json", "--yes"] + options)
    }

    private func define(_ type: String, _ properties: [String: String]) async throws {
        _ = try await shell.json("type", "add", type)
        for (key, kind) in properties { _ = try await shell.json("prop", "add", type, key, "--kind", kind) }
    }

    @Test("hold the property where all rows have one type, whatever their case")
    func oneType() async throws {
        try await define("Laufen", ["km": "number", "Dauer": "duration"])
        let answer = try await importing(
            "Datum;KM;Dauer;Wetter\n2026-03-01 08:00;5,2;31m;nass\n2026-03-02 08:00;;45m;\n", "--type", "=Laufen")
        #expect(answer.status == 0, "\(answer.errors)")
        for line in ["property km     KM", "property Dauer  Dauer", "not used        Wetter"] {
            #expect(answer.errors.contains(line), "\(line): \(answer.errors)")
        }
        let events = try await shell.json("list").array
        #expect(events.last?["properties"]?["km"] == ["type": "number", "value": 5.2])
        #expect(events.last?["properties"]?["Dauer"]?["value"] == 1860)
        #expect(events.first?["properties"]?["km"] == nil)
        #expect(try await shell.json("prop", "list", "Laufen").array.count == 2)
    }

    @Test("lengths of ISO 8601 are lengths, and Bemerkung is a note")
    func lengths() async throws {
        try await define("Laufen", ["Dauer": "duration"])
        let answer = try await importing(
            "Datum;Dauer;Bemerkung\n2026-03-01 08:00;PT1H30M;nass\n", "--type", "=Laufen")
        #expect(answer.status == 0 && answer.errors.contains("Bemerkung"), "\(answer.errors)")
        let event = try await shell.json("list").array.first
        #expect(event?["properties"]?["Dauer"]?["value"] == 5400 && event?["notes"] == "nass")
    }

    @Test("that are not read are told, also where a person names the others")
    func leftOut() async throws {
        let named = try await importing(
            "at,what,km,Wetter\n2026-03-01 08:00,run,5,wet\n", "--time", "at", "--type", "what", "--prop", "km=km")
        #expect(named.status == 0)
        #expect(
            named.errors.contains("columns not imported: Wetter; import one as a property with --prop KEY=COLUMN"),
            "\(named)")
        let all = try await importing(
            "at,what\n2026-03-02 08:00,run\n", "--time", "at", "--type", "what")
        #expect(!all.errors.contains("left out"), "\(all.errors)")
        _ = try await shell.run("log", "run", "--note", "own")
        let export = try await shell.output("export", "csv")
        let own = try await importing(export, "--time", "timestamp", "--type", "event_type")
        #expect(!own.errors.contains("left out"), "\(own.errors)")
    }

    @Test("hold it for the rows whose type has it, and make none for the others")
    func typeColumn() async throws {
        try await define("run", ["km": "number"])
        let answer = try await importing(
            "Zeitpunkt,Tätigkeit,km\n2026-03-01 08:00,run,5\n2026-03-02 08:00,walk,far\n")
        #expect(answer.status == 0, "\(answer.errors)")
        for line in ["type         Tätigkeit", "property km  km"] {
            #expect(answer.errors.contains(line), "\(line): \(answer.errors)")
        }
        let events = try await shell.json("list").array
        #expect(events.last?["properties"]?["km"]?["value"] == 5)
        #expect(events.first?["properties"]?["km"] == nil)
        #expect(try await shell.json("prop", "list", "walk").array.isEmpty)
    }

    @Test("are left alone where most values do not fit, or the person names another for the property")
    func otherColumns() async throws {
        try await define("run", ["km": "number"])
        let words = try await importing("time,km\n2026-03-01 08:00,far\n2026-03-02 08:00,near\n", "--type", "=run")
        #expect(words.status == 0 && words.errors.contains("not used  km"), "\(words.errors)")
        let named = try await importing(
            "time,km,way\n2026-03-01 09:00,1,2\n", "--type", "=run", "--prop", "km=way", "--dry-run")
        #expect(named.status == 0 && named.errors.contains("not used     km"), "\(named.errors)")
    }
}
