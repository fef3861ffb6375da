import Foundation
import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Texts that are not UTF-8")
struct ArgumentTextsTests {
    /// "café" in Latin-1.
    private nonisolated static let latin1: [UInt8] = Array("caf".utf8) + [0xE9]

    private func texts(_ words: [[UInt8]]) throws -> [String] { try ArgumentTexts.texts(words) }

    @Test("words in UTF-8 are taken as they are")
    func valid() throws {
        #expect(try texts([]) == [] && texts([Array("café 🎉".utf8), []]) == ["café 🎉", ""])
    }

    @Test(
        "a word that is not UTF-8 is refused wherever it stands, with its place",
        arguments: [
            ([latin1], "argument 1 is not UTF-8: 'caf\u{FFFD}'; nothing was done"),
            (
                [Array("log".utf8), Array("coffee".utf8), Array("-n".utf8), latin1],
                "argument 4, behind -n, is not UTF-8"
            ),
            ([Array("log".utf8), Array("coffee".utf8), Array("--note=".utf8) + latin1], "argument 3 is not UTF-8"),
            ([[0xC3]], "argument 1 is not UTF-8"), ([[0xED, 0xA0, 0x80]], "argument 1 is not UTF-8"),
        ])
    func invalid(_ words: [[UInt8]], _ said: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try ArgumentTexts.texts(words) }
        #expect(failure?.status == .usage && failure?.message.hasPrefix(said) == true, "\(String(describing: failure))")
        #expect(failure?.message.contains("iconv") == true)
    }

    @Test("what is completed is taken as far as it is text")
    func completion() throws {
        #expect(try texts([Array(CompletionAnswer.command.utf8), Self.latin1]).last == "caf\u{FFFD}")
    }

    @Test("a file with a row that is not UTF-8 is refused with the row and a way to convert it, and nothing goes in")
    func files() async throws {
        let shell = try TestShell()
        _ = try await shell.makeType("coffee")
        func event(_ note: [UInt8]) -> [UInt8] {
            Array(#"{"event_type":"coffee","timestamp":"2026-01-01T10:00:00Z","notes":""#.utf8) + note
                + Array(#""}"#.utf8)
        }
        let (good, bad, comma) = (event(Array("ok".utf8)), event(Self.latin1), Array(",\n".utf8))
        let ics = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260101T100000Z\r\nSUMMARY:"
        let files: [(kind: [String], bytes: [UInt8], row: String)] = [
            (["json"], Array("[".utf8) + good + comma + bad + Array("]".utf8), "event 2 (line 2): "),
            (["jsonl"], good + Array("\n".utf8) + bad, "line 2: "),
            (
                ["csv", "--no-skip-bad"],
                Array("type,time,note\ncoffee,2026-01-01,ok\ncoffee,2026-01-02,".utf8) + Self.latin1,
                "line 3: field 3 "
            ),
            (
                ["ics", "--type", "coffee"],
                Array(ics.utf8) + Self.latin1 + Array("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8), "line 6: "
            ),
        ]
        for (kind, bytes, row) in files {
            let answer = try await shell.run(["import", kind[0], "-"] + kind.dropFirst(), bytes: Data(bytes))
            #expect(answer.status == 65, "\(kind): \(answer)")
            #expect(answer.errors.contains(row) && answer.errors.contains("not UTF-8"), "\(kind): \(answer.errors)")
            #expect(answer.errors.contains("iconv -f latin1 -t utf-8"), "\(kind): \(answer.errors)")
            #expect(try await shell.json("list").array.isEmpty, "\(kind)")
        }
        let lines = try await shell.run(["log", "-"], bytes: Data(Array("coffee\ncoffee -n ".utf8) + Self.latin1))
        #expect(lines.status == 65 && lines.errors.contains("line 2: ") && lines.errors.contains("iconv"), "\(lines)")
        #expect(try await shell.json("list").array.isEmpty)
    }
}
