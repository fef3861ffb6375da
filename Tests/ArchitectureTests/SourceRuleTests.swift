import Foundation
import Testing

@Suite("The rules of the source")
struct SourceRuleTests {
    @Test("nothing in this package breaks one", arguments: sourceRules.map(\.name))
    func holds(name: String) throws {
        let rule = try #require(sourceRules.first { $0.name == name })
        #expect(try rule.violations(root: packageRoot) == [])
    }

    @Test("the files that a rule leaves out exist and need it")
    func exceptionsAreNeeded() throws {
        for rule in sourceRules {
            for path in rule.exceptIn {
                var strict = rule
                strict.exceptIn = []
                #expect(try strict.violations(root: packageRoot).contains { $0.file == path }, "\(path)")
            }
        }
    }

    @Test(
        "each is found where it is planted",
        arguments: [
            ("final class Box: @unchecked Sendable {}", "@unchecked Sendable"),
            ("nonisolated(unsafe) var count = 0", "nonisolated(unsafe)"),
            ("let value = try! load()", "try!"),
            ("let value = any as! Int", "as!"),
            ("let value = list.first!", "a force unwrap"),
            ("let value = table[key]!.name", "a force unwrap"),
            ("let value = load()!", "a force unwrap"),
            ("var view: View!", "a force unwrap"),
            ("let text = \"at \\(list.first!)\"", "a force unwrap"),
            ("fatalError(\"no\")", "fatalError"),
            ("let now = Date()", "ambient time"),
            ("let now = Date.now", "ambient time"),
            ("try await Task.sleep(for: .seconds(1))", "ambient waiting"),
            ("let id = UUID().uuidString", "ambient randomness"),
            ("let die = Int.random(in: 1...6)", "ambient randomness"),
        ])
    func found(code: String, rule: String) throws {
        try Fixture.with(files: ["Modules/Sync/File.swift": "let a = 1\n\(code)\n"]) { fixture in
            let found = try sourceRules.flatMap { try $0.violations(root: fixture.root) }
            #expect(found == [Violation(file: "Modules/Sync/File.swift", line: 2, message: rule)])
        }
    }

    @Test("a test that sleeps is found")
    func sleepingTest() throws {
        let text = "Thread.sleep(forTimeInterval: 1)\nusleep(5)\nsleep(1)\ntry await Task.sleep(for: .zero)\n"
        try Fixture.with(files: ["Tests/SomeTests/File.swift": text]) { fixture in
            let found = try sourceRules.flatMap { try $0.violations(root: fixture.root) }
            #expect(found.map(\.line) == [1, 2, 3, 4])
        }
    }

    @Test(
        "what only looks like one is none",
        arguments: [
            "if !done && a != b { return }", "let text = \"wow! try! as! fatalError(\"", "// list.first! and Date()",
            "let now = clock.now(); let day = Date(timeIntervalSince1970: 0)",
            "guard x == y else { return }",
            "try await clock.sleep(for: .seconds(1))", "let b: Bool = (!a)", "f(!x, y: !z)",
        ])
    func lookalikes(code: String) throws {
        try Fixture.with(files: ["Modules/Sync/File.swift": code + "\n"]) { fixture in
            let found = try sourceRules.flatMap { try $0.violations(root: fixture.root) }
            #expect(found == [])
        }
    }
}
