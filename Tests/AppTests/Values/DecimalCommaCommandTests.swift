import Foundation
import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Numbers with a comma")
struct DecimalCommaCommandTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "weight")
        _ = try await shell.json("prop", "add", "weight", "kg", "--kind", "number", "--label", "kg")
    }

    private func number(_ words: String...) async throws -> JSONValue? {
        try await shell.run(["weight", "--json"] + words).json()["properties"]?["kg"]?["value"]
    }

    @Test("are read where the setting or the locale says so, and those with a point are too")
    func read() async throws {
        for environment in [["TRENDY_DECIMAL": "comma"], ["LANG": "de_DE.UTF-8"], ["TRENDY_DECIMAL": "COMMA"]] {
            let plain = shell.environment
            shell.environment.merge(environment) { $1 }
            #expect(try await number("81,2") == 81.2)
            #expect(try await number("--prop", "kg=81,2kg") == 81.2)
            #expect(try await number("81.2") == 81.2)
            #expect(try await number("1,234") == 1.234)
            #expect(try await number("1.234,5") == 1234.5)
            #expect(try await number("500,5g") == 0.5005)
            shell.environment = plain
        }
    }

    @Test("are refused elsewhere, with what to write and the setting, and nothing is logged")
    func refused() async throws {
        for environment in [
            [:], ["LANG": "de_DE.UTF-8", "LC_ALL": "C"], ["LANG": "de_DE", "TRENDY_DECIMAL": "point"],
        ] {
            let plain = shell.environment
            shell.environment.merge(environment) { $1 }
            for words in [["weight", "81,2"], ["weight", "kg=81,2"]] {
                let answer = try await shell.run(words)
                #expect(answer.status == 65, "\(answer)")
                #expect(answer.errors.contains("write 81.2; 'trendy config set decimal comma'"), "\(answer.errors)")
            }
            shell.environment = plain
        }
        #expect(try await shell.json("list").array.isEmpty)
    }

    @Test("choose events, and leave lists with commas and what programs read alone")
    func elsewhere() async throws {
        #expect(try await shell.run("config", "set", "decimal", "comma").status == 0)
        _ = try await shell.json("weight", "81,2", "--note", "a,b 5,5")
        _ = try await shell.json("weight", "kg=79")
        #expect(try await shell.json("list", "weight kg>80,5").array.count == 1)
        #expect(try await shell.json("list", "kg<80,5").array.count == 1)
        let listed = try await shell.output("list", "kg=81,2", "--columns", "prop.kg,note")
        #expect(listed == "KG    NOTE\n81.2  a,b 5,5\n")
        #expect(try await shell.output("export", "csv").contains(#""value"":81.2"#))
    }

    @Test("are read in lines of JSON as elsewhere, whoever imports them")
    func json() async throws {
        let file = try shell.home.write(
            #"{"event_type":"weight","timestamp":"2026-03-01T08:00:00Z","properties":{"kg":"1,234"}}"# + "\n",
            to: "w.jsonl")
        shell.environment["LANG"] = "de_DE.UTF-8"
        let answer = try await shell.run("import", "jsonl", file)
        let kept = try await shell.json("list").array.first?["properties"]?["kg"]?["value"]
        #expect(kept == "1,234", "\(answer)")
    }

    @Test("are read in files with commas between their fields too, but not what a comma may part into thousands")
    func imported() async throws {
        let file = try shell.home.write(
            "time,type,kg\n2026-03-01,weight,\"81,2\"\n2026-03-02,weight,80.5\n2026-03-03,weight,\"1,234\"\n",
            to: "w.csv")
        let columns = ["import", "csv", file, "--time", "time", "--type", "type", "--prop", "kg=kg"]
        let plain = try await shell.run(columns + ["--dry-run"])
        #expect(plain.errors.contains("line 2: '81,2' does not fit"), "\(plain)")
        shell.environment["LC_NUMERIC"] = "fr_FR.UTF-8"
        let answer = try await shell.run("import", "csv", file)
        #expect(answer.errors.contains("line 4: the number '1,234' is ambiguous"), "\(answer)")
        let numbers = try await shell.json("list").array.compactMap { $0["properties"]?["kg"]?["value"] }
        #expect(numbers == [80.5, 81.2])
    }
}
