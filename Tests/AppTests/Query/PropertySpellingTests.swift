import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// Two devices that were apart have defined the same properties, and the definitions of one of them stay.
@MainActor
@Suite("A property whose key another device has spelt differently")
struct PropertySpellingTests {
    private static let composed = "Gr\u{F6}\u{DF}e"
    private static let decomposed = "Gro\u{308}\u{DF}e"

    private let shell: TestShell
    private let coffee: String

    init() async throws {
        shell = try TestShell()
        coffee = try await shell.makeType("coffee")
        for key in ["size", Self.composed] {
            _ = try await shell.output("prop", "add", "coffee", key, "--kind", "number")
        }
        try await shell.log(1, coffee, at: "9:00", properties: ["size": .number(1), Self.composed: .number(1)])
        try await shell.log(2, coffee, at: "8:00", properties: ["Size": .number(2), Self.decomposed: .number(2)])
        try await shell.log(3, coffee, at: "7:00")
    }

    /// The numbers of the events that a list has.
    private func list(_ words: String...) async throws -> [Int] {
        let answer = try await shell.run(["list", "--json"] + words)
        guard answer.status == 0 else { throw CommandFailure(.software, "\(words): \(answer.errors)") }
        return try answer.json().array.compactMap { $0["id"]?.stringValue?.last.flatMap { Int(String($0)) } }
    }

    /// The numbers that an event has, by their keys.
    private func values(_ id: String) async throws -> [String: Double] {
        let properties = try await shell.json("show", id)["properties"]?.objectValue ?? [:]
        return properties.compactMapValues { $0["value"]?.doubleValue }
    }

    @Test("is found by filters, in orders and in statistics")
    func filters() async throws {
        #expect(try await list("size>1") == [2])
        #expect(try await list("prop.SIZE=2") == [2])
        #expect(try await list("\(Self.composed)>1") == [2])
        #expect(try await list("size!=") == [1, 2])
        #expect(try await list("size=") == [3])
        #expect(try await list("--sort", "-size") == [2, 1, 3])
        let sum = try await shell.json("stats", "coffee", "--prop", "size", "--agg", "sum")
        #expect(sum["value"]?.doubleValue == 3)
    }

    @Test("is in the column of the property, of which there is one")
    func columns() async throws {
        let format = "{{short_id}} [{{prop.size}}] [{{prop.\(Self.composed)}}]"
        #expect(
            try await shell.output("list", "--format", format)
                == "e0000001 [1] [1]\ne0000002 [2] [2]\ne0000003 [] []\n")
        _ = try await shell.makeType("tea")
        _ = try await shell.output("prop", "add", "tea", "SIZE", "--kind", "number")
        let lines = try await shell.output("export", "csv").split(separator: "\r\n")
        let first = try #require(lines.first)
        #expect(first.hasSuffix(",properties,property:\(Self.composed),property:SIZE"), "\(first)")
        let ends = lines.dropFirst().map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).suffix(2).joined(separator: ",")
        }
        #expect(ends == [",", "2,2", "1,1"])
    }

    @Test("is changed where it is, and removed")
    func edits() async throws {
        _ = try await shell.output("edit", "e0000002", "size=6", "\(Self.composed)=7")
        #expect(try await values("e0000002") == ["Size": 6, Self.decomposed: 7])
        _ = try await shell.output("edit", "e0000002", "--clear-prop", "size", "--clear-prop", Self.composed)
        #expect(try await values("e0000002") == [:])
        try await shell.log(4, coffee, at: "6:00", properties: ["size": .number(1), "SIZE": .number(2)])
        _ = try await shell.output("edit", "e0000004", "size=3")
        #expect(try await values("e0000004") == ["size": 3])
    }

    @Test("is changed and removed in many events at once")
    func manyEdits() async throws {
        #expect(try await shell.output("edit", "coffee", "size=9", "--yes").contains("changed 3 events"))
        #expect(try await values("e0000001") == ["size": 9, Self.composed: 1])
        #expect(try await values("e0000002") == ["Size": 9, Self.decomposed: 2])
        #expect(try await values("e0000003") == ["size": 9])
        #expect(try await shell.output("edit", "coffee", "--clear-prop", "SIZE", "--yes").contains("changed 3 events"))
        #expect(try await list("size!=") == [])
    }

    @Test("goes along to a type that spells its keys differently, too")
    func otherType() async throws {
        _ = try await shell.makeType("tea")
        for key in ["SIZE", "gr\u{F6}\u{DF}e"] {
            _ = try await shell.output("prop", "add", "tea", key, "--kind", "number")
        }
        _ = try await shell.output("edit", "e0000002", "--type", "tea")
        _ = try await shell.output("edit", "e0000001", "--type", "tea")
        #expect(try await list("tea", "size>0") == [1, 2])
    }

    @Test("is another property where it has a definition of its own, as a server that compares spellings allows")
    func twoDefinitions() async throws {
        let other = LocalRecord(makePropertyDefinition(eventTypeId: coffee, key: "Size"))
        try shell.change { try $0.upsert(contentsOf: [other]) }
        _ = try await shell.output("edit", "e0000001", "Size=5")
        #expect(try await values("e0000001") == ["size": 1, "Size": 5, Self.composed: 1])
        _ = try await shell.output("edit", "e0000001", "--clear-prop", "size")
        #expect(try await values("e0000001") == ["Size": 5, Self.composed: 1])
    }
}
