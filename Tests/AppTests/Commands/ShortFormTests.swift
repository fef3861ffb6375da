import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Logging with few letters")
struct ShortFormTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        for type in ["coffee", "cola", "list"] { _ = try await shell.json("type", "add", type) }
        _ = try await shell.json("prop", "add", "coffee", "size", "--kind", "select", "--options", "small,large")
    }

    private func loggedType(_ words: String...) async throws -> String? {
        let event = try await shell.json("log", words[0])
        let types = try await shell.json("type", "list").array
        return types.first { $0["id"] == event["event_type_id"] }?["name"]?.stringValue
    }

    @Test("a type is enough, with its properties as words")
    func type() async throws {
        let answer = try await shell.run("coffee", "size=LARGE", "--note", "hot", "--json")
        #expect(try answer.json()["properties"] == ["size": ["type": "select", "value": "large"]])
        #expect(try await shell.run("coffee", "huge", "--json").json()["notes"] == "huge")
        #expect(try await shell.run("coffee", "size=huge").status == 65)
        #expect(try await shell.json("list").array.count == 2)
    }

    @Test("the option that every command has may stand before the command")
    func jsonFirst() async throws {
        #expect(try await shell.run("--json", "list").json() == [])
        #expect(try await shell.run("--json", "type", "list").json().array.count == 3)
        let logged = try await shell.run("--json", "coffee", "--note", "hot")
        #expect(try logged.json()["notes"] == "hot")
        #expect(try await shell.run("--json", "log", "coffee", "--at").status == 64)
        let unknown = try await shell.run("--json", "tea")
        #expect(unknown.status == 64 && unknown.errors.contains("no command or type 'tea'"))
    }

    @Test("a command's name is the command")
    func command() async throws {
        #expect(try await shell.json("list").array.isEmpty)
        _ = try await shell.json("log", "list")
        #expect(try await shell.json("list").array.count == 1)
    }

    @Test("what is neither is refused with what may have been meant")
    func neither() async throws {
        #expect(try await shell.run("lits").errors.contains("'trendy list'"))
        #expect(try await shell.run("cofee").errors.contains("'coffee'"))
        let strange = try await shell.run("xylophone")
        #expect(strange.status != 0 && strange.errors.contains("no command or type"))
        #expect(try await shell.json("list").array.isEmpty)
    }

    @Test("a type goes by the beginning of its name, in any case, where that is one type's")
    func beginning() async throws {
        #expect(try await loggedType("COF") == "coffee")
        #expect(try await shell.run("log", "co").errors.contains("coffee, cola"))
        #expect(try await shell.run("type", "rm", "cof", "--yes").status == 65)
        _ = try await shell.json("log", "cof", "--create-type")
        #expect(try await shell.json("type", "list").array.count == 4)
    }

    @Test("an alias of this device names a type, and no two")
    func alias() async throws {
        _ = try await shell.json("type", "edit", "coffee", "--alias", "c", "--alias", "Espresso")
        #expect(try await loggedType("C") == "coffee")
        #expect(try await loggedType("espresso") == "coffee")
        #expect(try await shell.run("type", "edit", "cola", "--alias", "c").status == 65)
        #expect(try await shell.run("type", "edit", "cola", "--alias", "coffee").status == 65)
        #expect(try await shell.run("type", "list").output.contains("c, espresso"))
        _ = try await shell.json("type", "edit", "coffee", "--clear-alias", "c")
        #expect(try await shell.run("log", "c").status == 65)
        #expect(try await shell.run("type", "edit", "coffee", "--clear-alias", "c").errors.contains("it has espresso"))
    }

    @Test("many lines go in together, or none of them")
    func lines() async throws {
        let good = "coffee size=small --note 'a \"b\"'\n\n# nothing\ncola --at -90m\n"
        let logged = try await shell.run("log", "-", "--json", input: good)
        #expect(try logged.json().array.map { $0["notes"] ?? .null } == ["a \"b\"", .null])
        for bad in ["tee", "coffee --bogus", "coffee --at soon", "coffee 'open", "--help", "-"] {
            let answer = try await shell.run("log", "-", input: "cola\n\(bad)\n")
            #expect(answer.status == 65 && answer.errors.contains("line 2: "), "\(bad): \(answer.errors)")
        }
        #expect(try await shell.json("list").array.count == 2)
        _ = try await shell.run("log", "-", "--create-type", input: "tea\nTea\n")
        #expect(try await shell.json("type", "list").array.count == 4)
        _ = try await shell.json("undo")
        #expect(try await shell.json("list").array.count == 2)
    }

    @Test("lines may begin with a byte order mark; one that is not UTF-8 is refused with its number")
    func lineBytes() async throws {
        let marked = try await shell.run("log", "-", input: "\u{FEFF}coffee\ncola\n")
        #expect(marked.status == 0, "\(marked.errors)")
        let broken = try await shell.run(["log", "-"], bytes: Data("cola\ncoffee ".utf8) + Data([0xFF, 0x0A]))
        #expect(broken.status == 65 && broken.errors.contains("line 2: "), "\(broken.errors)")
        #expect(broken.errors.contains("not UTF-8: if it is Latin-1, "), "\(broken.errors)")
        #expect(try await shell.json("list").array.count == 2)
    }

    @Test("a time in the future is refused with what may have been meant, unless it is asked for")
    func future() async throws {
        #expect(try await shell.run("coffee", "--at", "23:00").errors.contains("--at 'yesterday 23:00'"))
        #expect(try await shell.run("coffee", "--at", "tomorrow").status == 65)
        #expect(try await shell.run("coffee", "--at", "tomorrow", "--future").status == 0)
    }

    @Test("a time that clocks show twice or never is asked for anew")
    func changedClocks() async throws {
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        let twice = try await shell.run("coffee", "--at", "2025-10-26 02:30")
        #expect(twice.errors.contains("'2025-10-26 02:30+02:00' or '2025-10-26 02:30+01:00'"))
        #expect(try await shell.run("coffee", "--at", "2025-10-26 02:30+01:00").status == 0)
        #expect(try await shell.run("coffee", "--at", "2025-03-30 02:30").errors.contains("'2025-03-30 03:30'"))
        #expect(try await shell.run("coffee", "--at", "11/12/2025").errors.contains("2025-11-12 or 2025-12-11"))
    }
}
