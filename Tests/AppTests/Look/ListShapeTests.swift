import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("The shapes of a list")
struct ListShapeTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        let run = try await shell.makeType("run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
        try await shell.log(
            1, run, at: "9:00", until: "9:45", properties: ["km": .number(7.5)], notes: "along,\nthe \"river\"")
        try await shell.log(2, run, at: "yesterday 18:05")
    }

    @Test("a format gives a line for each event, with what the event does not have left empty")
    func format() async throws {
        #expect(
            try await shell.output("list", "--format", "{{short_id}} {{type}} {{ time }} [{{prop.km}}]\\t{{duration}}")
                == "e0000001 run 2026-03-10 09:00 [7.5]\t45m\ne0000002 run 2026-03-09 18:05 []\t\n")
        #expect(
            try await shell.output("today", "--format", "{{id}}|{{timestamp}}|{{weekday}}|{{note}}|{{end}}|{{sync}}")
                == "\(TestShell.eventId(1))|2026-03-10T09:00:00.000Z|Tuesday|along, the \"river\"|2026-03-10 09:45|pending\n"
        )
        #expect(try await shell.output("list", "--format", "{{id}}", "--limit", "0").isEmpty)
    }

    @Test(
        "an unknown placeholder is refused with the nearest one",
        arguments: [
            ("{{tpye}}", "'type'"), ("{{prop.kn}}", "'prop.km'"), ("{{km}}", "'prop.km'"), ("{{xyzzy}}", "short_id"),
            ("{{}}", "there is no column ''"), ("{{id} {{type}}", "did you mean"), ("{{id", "does not end"),
        ])
    func unknownPlaceholder(format: String, mention: String) async throws {
        let answer = try await shell.run("list", "--format", format)
        #expect(answer.status == 64)
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains(mention), "\(answer.errors)")
    }

    @Test("without a filter people see the newest 200 and are told of the rest; programs get all")
    func newest() async throws {
        let type = try await shell.makeType("tick")
        for number in 100..<300 { try await shell.log(number, type, at: "8:00") }
        let lines = try await shell.output("list").split(separator: "\n")
        #expect(lines.filter { $0.contains("tick") }.count + lines.filter { $0.contains(" run ") }.count == 200)
        #expect(lines.last == "These are the newest 200 events; 'trendy list --all' shows all.")
        #expect(try await shell.output("list", "--all").split(separator: "\n").count == 204)
        #expect(try await shell.output("list", "tick").split(separator: "\n").count == 201)
        #expect(try await shell.output("list", "--format", "{{id}}").split(separator: "\n").count == 202)
        #expect(try await shell.run("list", "--all", "--limit", "3").status == 64)
    }

    @Test("columns make a table that fits")
    func columns() async throws {
        #expect(
            try await shell.output("list", "--columns", "date, clock,prop.km,note") == """
                DATE        CLOCK  KM   NOTE
                2026-03-10  09:00  7.5  along, the "river"
                2026-03-09  18:05

                """)
        shell.environment["COLUMNS"] = "36"
        #expect(
            try await shell.output("list", "--columns", "date,clock,prop.km,note") == """
                DATE        CLOCK  KM   NOTE
                2026-03-10  09:00  7.5  along, the …
                2026-03-09  18:05

                """)
        let answer = try await shell.run("list", "--columns", "date,nope")
        #expect(answer.status == 64 && answer.errors.contains("'nope'"))
    }

    @Test("a table of many rows keeps the widths of the first ones, and its lines still fit")
    func manyRows() async throws {
        let run = try #require(try await shell.json("type", "list").array.first?["id"]?.stringValue)
        let engine = shell.engine
        try await engine.create(
            contentsOf: (0..<300).map { number in
                Event(
                    id: TestShell.eventId(9999 - number), eventTypeId: run,
                    timestamp: TestShell.noon.advanced(byMilliseconds: Int64(-number - 1) * 86_400_000),
                    notes: number < 250 ? "short" : "quite a long note")
            })
        shell.environment["COLUMNS"] = "30"
        let lines = try await shell.output("list", "--columns", "date,note,type").split(separator: "\n")
        #expect(lines.count == 303)
        #expect(lines.allSatisfy { $0.columns <= 30 })
        #expect(lines.filter { $0.hasSuffix("…  run") || $0.hasSuffix("…") }.count >= 50)
    }

    @Test("csv has the columns and rows of the export, in the order of the list")
    func csv() async throws {
        let exported = try await shell.output("export", "csv").split(separator: "\r\n")
        let listed = try await shell.output("list", "--csv").split(separator: "\r\n")
        #expect(exported.count == 3)
        #expect([exported[0]] + exported.dropFirst().reversed() == listed)
        #expect(try await shell.output("week", "--csv").split(separator: "\r\n") == exported)
    }

    @Test("shapes cannot be used together")
    func exclusion() async throws {
        for arguments in [["--json", "--csv"], ["--csv", "--columns", "id"], ["--format", "x", "--columns", "id"]] {
            for command in ["list", "today", "week"] {
                let answer = try await shell.run([command] + arguments)
                #expect(answer.status == 64 && answer.errors.contains("cannot be used together"))
            }
        }
    }
}
