import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Timers")
struct TimerCommandTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("prop", "add", "run", "km", "--kind", "number")
    }

    @Test("becomes one event from its start to its end, whatever process stops it")
    func oneEvent() async throws {
        _ = try await shell.json("start", "run", "--note", "with Kim")
        #expect(try await shell.json("list").array.isEmpty)
        shell.clock.advance(bySeconds: 3_900)
        let running = try #require(try await shell.json("status")["running"]?.array.first)
        #expect(running["type"] == "run" && running["since"] == "2026-03-10T12:00:00.000Z")
        #expect(try await shell.run("status").output.hasPrefix("running    run since 2026-03-10 12:00 (1h 5m)\n"))
        let logged = try await shell.json("stop", "km=7.5")
        #expect(logged["timestamp"] == "2026-03-10T12:00:00.000Z" && logged["end_date"] == "2026-03-10T13:05:00.000Z")
        #expect(logged["notes"] == "with Kim" && logged["properties"] == ["km": ["type": "number", "value": 7.5]])
        #expect(try await shell.json("list").array.count == 1)
        #expect(try await shell.json("status")["running"]?.array.isEmpty == true)
    }

    @Test(
        "keeps the note of its start, and has that of its end below it where that says something else",
        arguments: [
            ("one", "two", "one\ntwo"), ("one", "one", "one"), ("one", nil, "one"), ("one", "", "one"),
            (nil, "two", "two"), ("", "two", "two"),
        ] as [(String?, String?, String)])
    func notes(_ first: String?, _ second: String?, _ both: String) async throws {
        let start = try await shell.run(["start", "run"] + (first.map { ["--note", $0] } ?? []))
        #expect(start.status == 0, "\(start.errors)")
        #expect(try await shell.run(["stop"] + (second.map { ["-n", $0] } ?? [])).status == 0)
        #expect(try await shell.json("show", "last")["notes"]?.stringValue == both)
    }

    @Test("goes on with what the event that ended last had, and with that of a type where one is named")
    func continued() async throws {
        #expect(try await shell.run("continue").errors.contains("no event has ended yet"))
        _ = try await shell.json("start", "run", "km=5", "--note", "easy")
        shell.clock.advance(bySeconds: 60)
        let ended = try await shell.json("stop")
        _ = try await shell.json("log", "run", "--note", "without an end")
        shell.clock.advance(bySeconds: 60)
        let timer = try await shell.json("continue")
        #expect(timer["properties"] == ended["properties"] && timer["notes"] == "easy" && timer["id"] != ended["id"])
        #expect(timer["timestamp"] == "2026-03-10T12:02:00.000Z" && timer["end_date"] == nil)
        #expect(try await shell.run("continue", "run").errors.contains("is running since"))
    }

    @Test("runs on with the note of its start alone when its stop is taken back")
    func undoneNotes() async throws {
        _ = try await shell.json("start", "run", "--note", "one")
        _ = try await shell.json("stop", "--note", "two")
        _ = try await shell.json("undo")
        #expect(try await shell.json("list").array.isEmpty)
        #expect(try await shell.json("stop", "--note", "three")["notes"] == "one\nthree")
    }

    @Test("becomes an event that was logged when it was stopped: it is the last one then")
    func last() async throws {
        let started = try await shell.json("start", "run")
        _ = try await shell.json("log", "run", "--at", "9:00")
        shell.clock.advance(bySeconds: 60)
        let stopped = try await shell.run("stop")
        let last = try await shell.json("show", "last")
        let id = try #require(last["id"]?.stringValue)
        #expect(last["timestamp"] == started["timestamp"] && last["id"] != started["id"])
        #expect(stopped.output.contains("(\(ShortId.of(id)))"), "\(stopped.output)")
    }

    @Test("one of each type runs at a time, and with several the one to stop is named")
    func several() async throws {
        _ = try await shell.json("type", "add", "nap")
        _ = try await shell.json("start", "run")
        #expect(try await shell.run("start", "run").errors.contains("is running since"))
        _ = try await shell.json("start", "nap")
        let unclear = try await shell.run("stop")
        #expect(unclear.status == 65 && unclear.errors.contains("run, nap"))
        #expect(try await shell.run("stop", "nap").status == 0)
        #expect(try await shell.run("stop").status == 0)
        #expect(try await shell.run("stop").errors.contains("no timer runs"))
    }

    @Test("has no end when it starts: start refuses one, and its help offers none")
    func noEnd() async throws {
        let refused = try await shell.run("start", "run", "--until", "13:00")
        #expect(refused.status == 64 && refused.errors.contains("a timer has no end"), "\(refused.errors)")
        #expect(try await !shell.output("start", "--help").contains("--until <"))
        #expect(try await shell.output("log", "--help").contains("--until <until>"))
    }

    @Test("is told below today's events, where its type is asked for")
    func today() async throws {
        _ = try await shell.json("type", "add", "nap")
        _ = try await shell.json("start", "run", "--at", "11:40")
        let line = "running: run since 2026-03-10 11:40 (20m)\n"
        #expect(try await shell.output("today") == "Today, Tuesday 2026-03-10\n  nothing\n\n" + line)
        _ = try await shell.json("log", "nap")
        #expect(try await shell.output("today").hasSuffix("\n\n1 event: nap 1\n" + line))
        #expect(try await shell.output("today", "run").hasSuffix(line))
        #expect(try await !shell.output("today", "nap").contains("running"))
        #expect(try await !shell.output("week").contains("running"))
        #expect(try await shell.json("today").array.count == 1)
    }

    @Test("can be discarded, and its end be given")
    func ends() async throws {
        _ = try await shell.json("start", "run", "--at", "11:00")
        #expect(try await shell.run("stop", "--at", "10:00").status == 65)
        #expect(try await shell.run("stop", "--at", "13:00").errors.contains("future"))
        #expect(try await shell.json("stop", "--at", "11:45")["end_date"] == "2026-03-10T11:45:00.000Z")
        _ = try await shell.json("start", "run")
        _ = try await shell.json("stop", "--discard")
        #expect(try await shell.json("list").array.count == 1)
    }

    @Test("that is yet to begin is discarded without an end before its start")
    func discardedBefore() async throws {
        _ = try await shell.json("start", "run", "--future", "--at", "tomorrow 9:00")
        let answer = try await shell.run("stop", "--discard")
        #expect(answer.output.hasPrefix("discarded the timer of run, 2026-03-11 09:00 ("), "\(answer)")
    }

    @Test("makes its type where that is asked for, and undo takes both back")
    func newType() async throws {
        let refused = try await shell.run("start", "tea")
        #expect(refused.status == 65 && refused.errors.contains("--create-type"), "\(refused.errors)")
        let started = try await shell.run("start", "tea", "--create-type", "--at", "11:00")
        #expect(started.output.hasPrefix("started tea (new type), 2026-03-10 11:00 ("), "\(started.errors)")
        #expect(try await shell.json("status")["running"]?.array.first?["type"] == "tea")
        let again = try await shell.run("start", "TEA", "--create-type")
        #expect(again.status == 65 && again.errors.contains("is running since"), "\(again.errors)")
        #expect(try await shell.run("undo").status == 0)
        #expect(try await shell.json("status")["running"]?.array.isEmpty == true)
        #expect(try await shell.json("type", "list").array.count == 1)
        #expect(try await shell.run("redo").status == 0)
        #expect(try await shell.json("stop", "tea")["timestamp"] == "2026-03-10T11:00:00.000Z")
        #expect(try await shell.run("start", "run", "--create-type").output.hasPrefix("started run, "))
    }

    @Test("that ran for less than a second says so")
    func short() async throws {
        _ = try await shell.json("start", "run")
        #expect(try await shell.run("stop").output.hasSuffix("), under a second\n"))
    }

    @Test("is refused an end before its start, where the clock was set back")
    func clockSetBack() async throws {
        _ = try await shell.json("start", "run")
        shell.clock.advance(bySeconds: -60)
        #expect(try await shell.run("stop").errors.contains("before the start"))
        #expect(try await shell.json("status")["running"]?.array.count == 1)
    }

    @Test("is refused an end before its start, with the option that gave it")
    func earlyEnd() async throws {
        _ = try await shell.json("start", "run", "--at", "11:00")
        let early = try await shell.run("stop", "--at", "1:00")
        #expect(early.status == 65 && early.errors.hasSuffix("; check --at\n"), "\(early.errors)")
    }

    @Test("whose type was deleted can only be discarded")
    func deletedType() async throws {
        _ = try await shell.json("start", "run")
        _ = try await shell.json("type", "rm", "run", "--yes")
        #expect(try await shell.run("stop").status == 65)
        #expect(try await shell.run("stop", "--discard").status == 0)
    }
}
