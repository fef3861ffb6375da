import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("KEY=VALUE")
struct AssignmentTests {
    @Test(
        "the longest key that there is, else what stands before the first sign",
        arguments: [
            ("a=b=c", ["a", "a=b"], "a=b", "c"), ("a=b=c", ["a"], "a", "b=c"), ("A=B=c", ["a=b"], "A=B", "c"),
            ("a=b=c", ["x"], "a", "b=c"), ("a=b", ["a=b"], "a", "b"), ("a=b=", ["a=b"], "a=b", ""),
            ("==x", ["="], "=", "x"), ("url=http://x?a=b", ["url"], "url", "http://x?a=b"),
        ])
    func split(text: String, keys: [String], key: String, value: String) throws {
        let read = try #require(Assignment(text, among: keys))
        #expect(read.key == key && read.value == value)
    }

    @Test("a word without a sign, or with nothing before it, is none", arguments: ["a", "", "=a", "="])
    func none(text: String) {
        #expect(Assignment(text, among: ["a", ""]) == nil)
    }

    @Test(
        "a property gets no key that no KEY=VALUE could name",
        arguments: [
            ("a=b", "'='"), ("", "empty"), ("  ", "empty"), ("a b", "several words"), ("a\tb", "several words"),
            ("-a", "option"),
        ])
    func keys(key: String, reason: String) async throws {
        let shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
        let answer = try await shell.run("prop", "add", "coffee", "--kind", "text", "--", key)
        #expect(answer.status == 64 && answer.errors.contains(reason), "\(answer.errors)")
        #expect(answer.errors.contains("--label") && answer.errors.contains("trendy prop add --help"))
        #expect(try await shell.run("prop", "add", "coffee", " size ", "--kind", "text").status == 0)
        #expect(try await shell.json("prop", "list").array.map { $0["key"] } == ["size"])
    }

    @Test("a key with '=' that came from elsewhere is written, shown, changed, completed and exported")
    func foreign() async throws {
        let shell = try TestShell()
        let type = try await shell.makeType("coffee")
        try shell.change { store in
            for (place, key) in ["a", "a=b", "x=y z"].enumerated() {
                try store.upsert(
                    LocalRecord(
                        PropertyDefinition(
                            id: freshId(), eventTypeId: type, key: key, label: key,
                            propertyType: .select, options: ["one", "two"], displayOrder: place)))
            }
        }
        let logged = try await shell.json("coffee", "A=b=one", "x=y z=two", "a=two")
        let values = ["a": "two", "a=b": "one", "x=y z": "two"]
        #expect(logged["properties"] == .object(values.mapValues { ["type": "select", "value": .string($0)] }))
        let id = try #require(logged["id"]?.stringValue)
        _ = try await shell.json("edit", id, "a=b=two", "--clear-prop", "x=y z")
        #expect(try await shell.output("list").contains("a=two  a=b=two"))
        #expect(try await shell.output("list", "--columns", "prop.a=b").contains("two"))
        #expect(try await shell.output("show", id).contains("a=b"))
        #expect(try await shell.output("export", "csv").contains("property:a=b"))
        #expect(try await shell.json("export", "json")["property_definitions"]?.array.count == 3)
        let candidates = { (word: String) in
            try await shell.run("__complete", "fish", "coffee", word).output.split(separator: "\n")
                .map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try await candidates("a=b=") == ["a=b=one", "a=b=two"])
        #expect(try await candidates("x=y") == ["x=y z="])
        #expect(try await candidates("a=o") == ["a=one"])
    }
}
