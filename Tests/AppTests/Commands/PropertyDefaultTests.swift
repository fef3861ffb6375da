import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("The default value of a property that is changed")
struct PropertyDefaultTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
    }

    private var defaults: [JSONValue?] {
        get async throws { try await shell.json("prop", "list", "coffee").array.map { $0["default_value"] } }
    }

    @Test("is to be one of the options")
    func options() async throws {
        _ = try await shell.json(
            "prop", "add", "coffee", "size", "--kind", "select", "--options", "small,large", "--default", "small")
        let edit = ["prop", "edit", "coffee", "size", "--options", "S,L"]
        let refused = try await shell.run(edit)
        #expect(refused.status == 65, "\(refused)")
        #expect(
            refused.errors.contains(
                "the default 'small' of 'size' is not one of the options (S, L); choose one, as in --default S, "
                    + "or remove it with --clear-default"), "\(refused.errors)")
        #expect(try await defaults == ["small"])
        #expect(try await shell.run(edit + ["--default", "s"]).status == 0)
        #expect(try await defaults == ["S"])
        #expect(try await shell.run("prop", "edit", "coffee", "size", "--options", "S,M").status == 0)
        #expect(
            try await shell.run("prop", "edit", "coffee", "size", "--options", "X", "--clear-default").status == 0)
    }

    @Test(
        "is to be of the kind",
        arguments: [("number", "80", "text"), ("text", "hot", "number"), ("text", "hot", "url")])
    func kinds(kind: String, value: String, other: String) async throws {
        _ = try await shell.json("prop", "add", "coffee", "temp", "--kind", kind, "--default", value)
        let edit = ["prop", "edit", "coffee", "temp", "--kind", other]
        let refused = try await shell.run(edit)
        #expect(refused.status == 65, "\(refused)")
        #expect(
            refused.errors.contains(
                "the default '\(value)' of 'temp' does not fit the kind \(other); give another one with --default, "
                    + "or remove it with --clear-default"), "\(refused.errors)")
        #expect(try await shell.run(edit + ["--clear-default"]).status == 0)
    }

    @Test(
        "of a date is a day for good, not one that depends on when it is said",
        arguments: [
            ("today", "2026-03-10"), ("yesterday", "2026-03-09"), ("mon", "2026-03-09"), ("nov 20", "2025-11-20"),
        ])
    func relativeDay(text: String, day: String) async throws {
        let add = ["prop", "add", "coffee", "due", "--kind", "date"]
        let refused = try await shell.run(add + ["--default", text])
        #expect(
            refused.status == 65
                && refused.errors.contains("'\(text)' would always mean \(day)")
                && refused.errors.hasSuffix("write --default \(day)\n"), "\(refused.errors)")
        #expect(try await shell.run(add + ["--default", day]).status == 0)
        let edit = ["prop", "edit", "coffee", "due", "--default"]
        #expect(try await shell.run(edit + [text]).status == 65)
        #expect(try await shell.run(edit + ["20 nov 2025"]).status == 0)
        #expect(try await defaults.first??.stringValue?.hasPrefix("2025-11-20") == true)
    }

    @Test("follows the unit, where the new one is of the same quantity")
    func units() async throws {
        let label = { (unit: String) in ["prop", "edit", "coffee", "len", "--label", "Len (\(unit))"] }
        _ = try await shell.json(
            "prop", "add", "coffee", "len", "--kind", "number", "--label", "Len (km)", "--default", "5mi")
        let metres = try await shell.output(label("m"))
        #expect(
            metres.hasSuffix(
                "; the unit of len is now m, and the default 8.04672 km is 8046.72 m now; "
                    + "existing values are not converted\n"), "\(metres)")
        #expect(try await defaults == [8046.72])
        let mass = try await shell.output(label("kg"))
        #expect(mass.contains("the default 8046.72 m is 8046.72 kg now"), "\(mass)")
        let given = try await shell.output(label("g") + ["--default", "2kg"])
        #expect(given.hasSuffix("; the unit of len is now g; existing values are not converted\n"), "\(given)")
        #expect(try await defaults == [2000])
        #expect(try await !shell.output(["prop", "edit", "coffee", "len", "--order", "3"]).contains("the unit of"))
    }
}
