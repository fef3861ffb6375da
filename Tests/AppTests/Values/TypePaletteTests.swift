import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Colours of new types")
struct TypePaletteTests {
    @Test("differ as long as there are some that no type has, and each is a colour")
    func differ() async throws {
        let shell = try TestShell()
        for number in 0..<EventType.suggestedColors.count {
            _ = try await shell.run("log", "type\(number)", "--create-type")
        }
        let colors = try await shell.json("type", "list").array.compactMap { $0["color"]?.stringValue }
        #expect(colors == EventType.suggestedColors && Set(colors).count == colors.count)
        for color in colors { #expect(RGBColor(hex: color) != nil) }
        let again = try await shell.json("type", "add", "type8")
        #expect(again["color"]?.stringValue == EventType.suggestedColors[0])
        let own = try await shell.json("type", "add", "type9", "--color", "red")
        #expect(own["color"] != .string(EventType.suggestedColors[1]))
    }

    @Test("an import's types differ too")
    func imported() async throws {
        let shell = try TestShell()
        let file = try shell.home.write("time,type\n2026-03-09 10:00,tea\n2026-03-09 11:00,run\n", to: "a.csv")
        #expect(try await shell.run("import", "csv", file).status == 0)
        let colors = try await shell.json("type", "list").array.compactMap { $0["color"]?.stringValue }
        #expect(Set(colors) == Set(EventType.suggestedColors.prefix(2)))
    }
}
