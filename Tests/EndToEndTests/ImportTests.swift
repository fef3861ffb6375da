import Foundation
import Testing
import TrendyDomain

@Suite("trendy import csv", .fewAtOnce, .timeLimit(.minutes(10)))
struct ImportTests {
    private let columns = ["--time", "when", "--type", "what", "--note", "note", "--prop", "size=size"]

    private func prepared() async throws -> Device {
        let device = try Device()
        try await device.done("type", "add", "coffee")
        try await device.done("prop", "add", "coffee", "size", "--kind", "number")
        return device
    }

    @Test("reads a byte order mark, quotes, embedded line breaks, CRLF and a last line without an end")
    func oddities() async throws {
        let device = try await prepared()
        let text =
            "\u{FEFF}when,what,note,size\r\n"
            + "2026-01-01T08:00:00Z,coffee,\"with, comma\",1\r\n"
            + "2026-01-02T08:00:00Z,coffee,\"a \"\"quoted\"\" word\",2\r\n"
            + "2026-01-03T08:00:00Z,coffee,\"two\nlines\",2.5\r\n"
            + "2026-01-04T08:00:00Z,coffee,,"
        let file = try device.folder.write(text, to: "in.csv")
        try await device.done(["import", "csv", file] + columns)
        let events = try await device.events().sorted { $0.entity.timestamp < $1.entity.timestamp }.map(\.entity)
        #expect(events.map(\.notes) == ["with, comma", "a \"quoted\" word", "two\nlines", nil])
        #expect(events.map { $0.properties["size"] } == [.number(1), .number(2), .number(2.5), nil])
        #expect(events.allSatisfy { $0.sourceType == .imported && $0.externalId != nil })
    }

    @Test("the same import twice adds nothing, from a file or from standard input")
    func twice() async throws {
        let device = try await prepared()
        let text = "when,what,note,size\n2026-01-01T08:00:00Z,coffee,a,1\n2026-01-01T09:00:00Z,coffee,a,1\n"
        let file = try device.folder.write(text, to: "in.csv")
        try await device.done(["import", "csv", file] + columns)
        let before = try await device.done("export", "json").output
        try await device.done(["import", "csv", file] + columns)
        try await device.done(["import", "csv", "-"] + columns, input: text)
        #expect(try await device.done("export", "json").output == before)
        #expect(try await device.events().count == 2)
    }

    @Test("a bad row is reported with its line number and skipped; the rest goes in")
    func badRows() async throws {
        let device = try await prepared()
        let text =
            "when,what,note,size\n2026-01-01T08:00:00Z,coffee,a,1\nnever,coffee,b,1\n"
            + "2026-01-02T08:00:00Z,coffee,c,large\n\"2026-01-03T08:00:00Z\",coffee,\"d\nd\",1\n2026-01-04T08:00:00Z\n"
            + "2026-01-05T08:00:00Z,coffee,e,1\n"
        let file = try device.folder.write(text, to: "in.csv")
        let outcome = try await device.run(["import", "csv", file] + columns)
        #expect(outcome.status == 65 && !outcome.wasSignalled, "\(outcome)")
        for line in ["3", "4", "7"] { #expect(outcome.errors.contains("line \(line)"), "\(outcome)") }
        #expect(Set(try await device.events().map(\.entity.notes)) == ["a", "d\nd", "e"])
    }

    @Test(
        "a file that cannot be read as a table is refused whole",
        arguments: [
            ("what,note\ncoffee,a\n", "when"), ("", "empty"), ("when,what,note,size\n\"2026", "quote"),
        ])
    func refusedFiles(text: String, word: String) async throws {
        let device = try await prepared()
        let file = try device.folder.write(text, to: "in.csv")
        let outcome = try await device.run(["import", "csv", file] + columns)
        #expect(outcome.status == 65 && !outcome.wasSignalled, "\(outcome)")
        #expect(outcome.errors.localizedCaseInsensitiveContains(word), "\(outcome)")
        #expect(try await device.events().isEmpty)
    }

    @Test("an invalid byte is reported with its line")
    func invalidByte() async throws {
        let device = try await prepared()
        var data = Data("when,what,note,size\n2026-01-01T08:00:00Z,coffee,a,1\n2026-01-02T08:00:00Z,coffee,".utf8)
        data += [0xC3, 0x28]
        data += Data(",1\n2026-01-03T08:00:00Z,coffee,c,1\n".utf8)
        let file = try device.folder.write(data, to: "in.csv")
        let outcome = try await device.run(["import", "csv", file] + columns)
        #expect(outcome.status == 65 && !outcome.wasSignalled, "\(outcome)")
        #expect(outcome.errors.contains("line 3"), "\(outcome)")
        #expect(Set(try await device.events().map(\.entity.notes)) == ["a", "c"])
    }

    @Test("a type for all rows, and columns that are not asked for")
    func fixedType() async throws {
        let device = try await prepared()
        let text = "at,ignored\n2026-01-01T08:00:00Z,x\n"
        try await device.done("import", "csv", "-", "--time", "at", "--type", "=coffee", input: text)
        #expect(try await device.events().map(\.entity.notes) == [nil])
    }

    @Test("what is exported as CSV can be imported elsewhere")
    func roundTrip() async throws {
        let (device, other) = (try await prepared(), try await prepared())
        for note in ["plain", "with, comma and \"quotes\"", "two\nlines", "=1+1"] {
            try await device.log("coffee", "--note", note, "--prop", "size=2.5")
        }
        let csv = try await device.done("export", "csv").output
        try await other.done(
            "import", "csv", "-", "--time", "timestamp", "--type", "event_type", "--note", "notes", "--prop",
            "size=property:size", "--id", "id", input: csv)
        func facts(_ device: Device) async throws -> Set<[String]> {
            Set(
                try await device.events().map(\.entity).map {
                    [$0.timestamp.description, $0.notes ?? "", "\($0.properties)"]
                })
        }
        #expect(try await facts(other) == (try await facts(device)))
    }
}
