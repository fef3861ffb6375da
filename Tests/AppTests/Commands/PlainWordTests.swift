import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("What commands say of input that they cannot use")
struct PlainWordTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    @Test("a system that there is nothing to install for is told what there is")
    func install() async throws {
        let answer = try await shell.run("sync", "--install", "upstart")
        #expect(answer.status == 64)
        #expect(
            answer.errors.contains(
                "--install does not take 'upstart'; use systemd, service, timer or launchd"),
            "\(answer.errors)")
        #expect(try await shell.run("sync", "--install").status == 0)
    }

    @Test("a number that is too large is told as one", arguments: ["1e999", "-2.5e400"])
    func number(text: String) async throws {
        let event = #"[{"timestamp": "2026-03-01 9:15", "event_type": "run", "properties": {"km": \#(text)}}]"#
        let answer = try await shell.run(["import", "json", "-"], input: event)
        #expect(answer.status == 65)
        #expect(answer.errors.contains("it cannot be read: the number \(text) is too large"), "\(answer.errors)")
        #expect(!answer.errors.contains("no array") && !answer.errors.contains("no JSON"))
    }

    @Test("who looks for a type that there is not is not told to make it", arguments: [["type", "rm"], ["trend"]])
    func unknownType(command: [String]) async throws {
        let empty = try await shell.run(command + ["nope"])
        #expect(empty.errors.contains("there are no types yet"), "\(empty.errors)")
        _ = try await shell.json("type", "add", "coffee")
        let answer = try await shell.run(command + ["nope"])
        #expect(answer.status == 65)
        #expect(answer.errors.contains("there is no type 'nope'; see 'trendy type list'"), "\(answer.errors)")
        #expect(!answer.errors.contains("type add"))
        #expect(try await shell.run(command + ["cofee"]).errors.contains("did you mean 'coffee'?"))
        #expect(try await shell.run("log", "nope").errors.contains("'trendy type add nope'"))
    }

    @Test("UTF-16 is told as such, without the mark too", arguments: [false, true])
    func wideText(isBigEndian: Bool) async throws {
        let text = "when,what,note\n2026-03-09T08:00:00Z,run,a note of mine\n"
        let bytes = text.utf16.flatMap { unit in
            isBigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
        }
        let file = shell.home.url.appending(path: "wide.csv")
        try Data(bytes).write(to: file)
        let path = file.path(percentEncoded: false)
        for options in [[], ["--time", "when", "--type", "what"]] {
            let answer = try await shell.run(["import", "csv", path] + options)
            #expect(answer.status == 65 && answer.errors.contains("UTF-16; save it as UTF-8"), "\(answer.errors)")
        }
    }

    @Test("rows of CSV whose cells are all empty are passed over")
    func blankRows() async throws {
        let text = "when,what,note\n2026-03-09T08:00:00Z,run,a\n,,\n \t, ,\n\"\",\"\",\"\"\n,run,\n"
        let answer = try await shell.run(
            ["import", "csv", "-", "--time", "when", "--type", "what", "--json"], input: text)
        #expect(try answer.json()["rows"] == 2 && answer.json()["imported"] == 1 && answer.json()["bad"] == 1)
        #expect(answer.errors.contains("line 6") && !answer.errors.contains("line 3"), "\(answer.errors)")
    }

    @Test("Loop's own backup is a database, and nothing to restore")
    func loopBackup() async throws {
        let path = try shell.home.write("SQLite format 3\u{0}\u{10}\u{0}", to: "Loop Habits Backup.db")
        let answer = try await shell.run("import", "loop", path)
        #expect(answer.status == 65 && answer.errors.contains("export the habits as CSV"), "\(answer.errors)")
        #expect(!answer.errors.contains("restore"))
    }

    @Test("degrees in a calendar have no exponent")
    func degrees() async throws {
        _ = try await shell.json("log", "run", "--create-type", "--lat", "0.00001", "--lon=-0.00000001")
        let calendar = try await shell.run("export", "ics").output
        #expect(calendar.contains("GEO:0.00001;-0.00000001\r\n"), "\(calendar)")
        #expect(NumberText.plainText(1e20) == "1" + String(repeating: "0", count: 20))
        #expect(NumberText.plainText(-1.25e-12) == "-0.00000000000125" && NumberText.plainText(0) == "0")
    }

    @Test("lines below each other have their seconds at full minutes too")
    func seconds() {
        #expect(LocalZone.utc.secondText(TestShell.noon) == "2026-03-10 12:00:00")
        #expect(LocalZone.utc.secondText(TestShell.noon.advanced(bySeconds: 61)) == "2026-03-10 12:01:01")
    }

    @Test("only properties that stats takes are offered to it")
    func measures() async throws {
        _ = try await shell.json("type", "add", "coffee")
        for (key, kind) in [("cups", "number"), ("brewing", "duration"), ("bean", "text"), ("hot", "boolean")] {
            _ = try await shell.json("prop", "add", "coffee", key, "--kind", kind)
        }
        for command in ["stats", "trend"] {
            let answer = try await shell.run("__complete", "fish", command, "coffee", "--prop", "")
            let found = answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
            #expect(found == ["cups", "brewing", "time"])
        }
    }
}
