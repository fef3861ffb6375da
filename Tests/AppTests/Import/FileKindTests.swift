import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp
@testable import TrendyInterchange

@MainActor
@Suite("A file that is given to the wrong command")
struct FileKindTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    /// A beginning of a file of each kind.
    private nonisolated static let samples: [(text: String, kind: FileKind)] = [
        ("", .empty), ("\u{FEFF}\n", .empty), ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", .calendar),
        ("\u{FEFF}begin:vcalendar\n", .calendar), ("[\n{\"timestamp\":\"2026-03-01\"}\n]", .json),
        ("{\"event_types\":[\n{}]}", .json), ("[ ]\n", .emptyArray), ("{\"timestamp\":1}\n", .jsonLine),
        ("[1, \"a\", null]", .plainArray), ("[1],[2]\n", .text),
        ("{\"a\":\"}{\\\"\"}\n{\"b\":1}\n", .jsonLines), ("{\"a\":\"\\q\"}\nnot json\n", .jsonLines),
        ("{\"tags\":{},\n\"entries\": [{}]}", .jrnl), ("[{\"title\":\"\",\"body\":\"\",\"date\":\"\"}]", .jrnl),
        ("[\n{\"id\":1,\"start\" : \"20260301T080000Z\"}]", .timewarrior), ("inc 20260301T080000Z # a", .timewarrior),
        ("[{\"start\":\"2026-03-01\",\"timestamp\":1}]", .json),
        ("full_date,date,weekday,time,mood,activities,note\n", .daylio),
        ("Date,Meditate,\n2015-01-25,YES_MANUAL,\n", .loop), ("Date,What\n2015-01-25,YES\n", .text),
        ("[id],[date]\n1,2026-03-01\n", .text), ("when,what\n", .text), ("<!DOCTYPE html>", .markup),
        ("PK\u{3}\u{4}\u{0}", .archive), ("SQLite format 3\u{0}", .database), ("ab\u{0}c", .bytes),
        ("<none>,when\n1,2026-03-01\n", .text), ("inc id,when\n1,2026-03-01\n", .text),
        ("when,note\n2026-03-01,a\u{0}b\n" + String(repeating: "2026-03-01,a\n", count: 20), .text),
        ("{\"tags\":{" + String(repeating: "\"@a\":1,", count: 10_000), .jrnl),
        ("[{\"timestamp\":1,\"properties\":{\"title\":\"\",\"body\":\"\",\"date\":\"\"}}]", .json),
    ]

    @Test("is known by how it begins", arguments: samples.indices)
    nonisolated func kinds(index: Int) {
        let (text, kind) = Self.samples[index]
        #expect(FileKind(Array(text.utf8)) == kind, "\(text)")
        #expect(!kind.text.isEmpty)
    }

    @Test("text in UTF-16 is known by its mark, in either order of bytes")
    func wide() {
        #expect(FileKind([0xFF, 0xFE, 0x61, 0x00]) == .wideText && FileKind([0xFE, 0xFF, 0x00, 0x61]) == .wideText)
    }

    @Test(
        "is refused with what it is, and with the command that takes it",
        arguments: [
            (
                ["import", "csv"], "BEGIN:VCALENDAR\n",
                "is not a CSV file but a calendar; import it with 'trendy import ics "
            ),
            (["import", "csv"], "{\"timestamp\":1}\n{\"timestamp\":2}\n", "'trendy import jsonl "),
            (["import", "csv"], "SQLite format 3\u{0}", "'trendy restore "),
            (["import", "csv"], "PK\u{3}\u{4}", "unpack it first"),
            (
                ["import", "ics"], "when,what\n2026-03-01,x\n",
                "is not a calendar but another kind of text; if its first line has column names, import it with 'trendy import csv "
            ),
            (["import", "ics"], "", "an empty file"),
            (["import", "json"], "{\"timestamp\":1}\n{\"timestamp\":2}\n", "'trendy import jsonl "),
            (["import", "json"], "{\"type\":\"FeatureCollection\",\"features\":[]}", "no member \"events\""),
            (["import", "json"], "{\"timestamp\":\"2026-03-01\",\"event_type\":\"run\"}", "'trendy import jsonl'"),
            (["import", "json"], "[1,2]", "is a JSON array without objects; each event must be an object like {"),
            (["import", "csv"], "[1,2]", "is not a CSV file but a JSON array without objects"),
            (["import", "json"], "{\"entries\":[]}", "'trendy import jrnl "),
            (
                ["import", "jsonl"], "[{\"timestamp\":1}]",
                "is not a file of JSON Lines but JSON; if Trendy wrote it, import it with 'trendy import json "
            ),
            (["import", "jsonl"], "when,what\n", "'trendy import csv "),
            (["import", "daylio"], "{\"a\":\n1}", "is not a CSV export of Daylio but JSON"),
            (["import", "daylio"], "Date,Read,\n2015-01-25,YES_MANUAL,\n", "'trendy import loop "),
            (["import", "timewarrior"], "{\"events\":[\n]}", "is not an export of timewarrior but JSON"),
            (["import", "timewarrior"], "a,b\n", "is not an export of timewarrior"),
            (["import", "jrnl"], "[{\"start\":\"20260301T080000Z\"}]", "'trendy import timewarrior "),
            (["import", "jrnl"], "{\"events\":[\n]}", "is not a JSON export of jrnl"),
            (
                ["import", "jrnl"], "[2026-03-01 09:30] Had an @idea.\nIt was good.\n",
                "but another kind of text; import a journal with 'jrnl --format json | trendy import jrnl -'"
            ),
            (["import", "loop"], "BEGIN:VCALENDAR\n", "is not a Checkmarks.csv of Loop Habit Tracker but a calendar"),
            (["import", "loop"], "when,what\n2026-03-01,x\n", "begins with 'when'"),
            (
                ["restore", "--yes"], "{\"events\":[\n]}",
                "is not a backup but JSON (if Trendy wrote it, import it with 'trendy import json "
            ),
            (["restore", "--yes"], "\n", "is not a backup but an empty file; name a file that 'trendy backup' wrote"),
        ])
    func refused(command: [String], text: String, expected: String) async throws {
        let file = try shell.home.write(text, to: "given")
        let answer = try await shell.run(command + [file])
        #expect(answer.status == 65 && answer.errors.contains(expected), "\(answer.errors)")
        #expect(answer.output.isEmpty && answer.errors.split(separator: "\n").count == 1, "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: shell.home.path + "/trendy.sqlite-restore"))
    }

    @Test("lines that are bad are passed over where that is asked for, the first one too")
    func badFirstLine() async throws {
        let good = "{\"timestamp\":\"2026-03-01\",\"event_type\":\"run\"}\n"
        for bad in ["# exported today\n", "{\"timestamp\":\n"] {
            let file = try shell.home.write(bad + good, to: "given.jsonl")
            let answer = try await shell.run(
                "import", "jsonl", file, "--skip-bad", "--create-types", "--dry-run", "--json")
            #expect(try answer.json()["imported"] == 1 && answer.json()["bad"] == 1, "\(answer.errors)")
        }
    }

    @Test(
        "what is not JSON in a line says where",
        arguments: [
            (#"{"timestamp":"2026-03-01","event_type":"a\q"}"#, "'\\q' is no escape of JSON"),
            (#"{"timestamp":"2026-03-01","event_type":"a","notes":"\ud800"}"#, "half of a surrogate pair"),
            (#"{"timestamp":"2026-03-01" "event_type":"a"}"#, "',' or '}' is missing"),
            (#"{"timestamp":'2026-03-01'}"#, "single quotation marks"), (#"{"a":1}{"b":2}"#, "text after the end"),
            ("not json", "a value is missing"), ("{\"a\":01}", "'01' is no number"), ("[1]", "it is no object"),
            ("{\"a\":\"x", "a text has no end"), ("{\"a\":[1,2", "',' or ']' is missing"),
        ])
    func lines(line: String, expected: String) async throws {
        let text = "{\"timestamp\":\"2026-03-01\",\"event_type\":\"run\"}\n" + line + "\n"
        let answer = try await shell.run(["import", "jsonl", "-"], input: text)
        #expect(answer.status == 65 && answer.errors.contains("line 2: "), "\(answer.errors)")
        #expect(answer.errors.contains(expected), "\(answer.errors)")
        for word in ["Dictionary<", "Array<", "given data"] { #expect(!answer.errors.contains(word)) }
    }
}
