import Foundation
import Testing
import TrendyFaultProxy

@Suite("Long work on a terminal: progress, and Ctrl-C", .fewAtOnce)
struct ProgressTests {
    private let device: Device

    init() throws {
        device = try Device()
    }

    /// A file of so many rows; the work on it takes more than a moment.
    private func rows(_ count: Int) throws -> String {
        var text = "when,what,note\n"
        for row in 0..<count { text += "\(1_600_000_000 + row * 60),walk,\"note number \(row)\"\n" }
        return try device.folder.write(text, to: "rows.csv")
    }

    private func importing(_ file: String, _ environment: [String: String] = [:]) throws -> PseudoTerminal {
        try device.terminal(
            "import", "csv", file, "--time", "when", "--type", "what", "--note", "note", environment: environment,
            columns: 70)
    }

    @Test("an import shows how far it is, at most ten times a second, and takes it away", .timeLimit(.minutes(5)))
    func progress() async throws {
        let file = try rows(30_000)
        let start = ContinuousClock.now
        let terminal = try importing(file)
        #expect(await terminal.waits(for: "importing  "))
        #expect(await terminal.ended() == 0)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let drawings = terminal.shown.components(separatedBy: "\r").dropFirst().filter { $0.hasPrefix("importing") }
        #expect(!drawings.isEmpty && Double(drawings.count) <= seconds * 10 + 1)
        for drawing in drawings {
            #expect(drawing.contains(" of 30,000 rows") || drawing.contains(" %"), "\(drawing)")
            #expect(drawing.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "").count < 70)
        }
        #expect(terminal.shown.contains("\r\u{1B}[Kimported 30000 events"), "\(terminal.shown.suffix(200))")
    }

    @Test("a terminal that cannot take a line back is shown none", .timeLimit(.minutes(5)))
    func dumb() async throws {
        let terminal = try importing(try rows(3000), ["TERM": "dumb"])
        #expect(await terminal.ended() == 0)
        #expect(terminal.shown.hasPrefix("imported 3000 events"), "\(terminal.shown)")
    }

    @Test(
        "Ctrl-C ends an import in order: it says what is in, and the same command goes on from there",
        .timeLimit(.minutes(5)), arguments: [SIGINT, SIGTERM])
    func interruptedImport(signal: Int32) async throws {
        // So many that it is far from done when the signal comes, however late that is on a busy machine.
        let count = 30_000
        let file = try rows(count)
        let terminal = try importing(file, ["NO_COLOR": "1"])
        // Beyond the first thousand, which is the first that is stored.
        let isSeen = await terminal.waits(for: "importing  [#") {
            if signal == SIGINT { terminal.type("\u{3}") } else { terminal.signal(signal) }
        }
        #expect(isSeen)
        #expect(await terminal.ended() == 130)
        let stored = try DatabaseFile(of: device).count("event")
        #expect(stored % 1000 == 0 && stored < count)
        let told = stored == 0 ? "nothing was imported" : "\(stored / 1000),000 of 30,000 rows are imported"
        #expect(terminal.shown.contains("trendy: interrupted: \(told)"), "\(terminal.shown.suffix(300))")
        #expect(terminal.shown.contains("run the same command again"))
        try expectIntact(device)
        let outcome = try await device.done(
            "import", "csv", file, "--time", "when", "--type", "what", "--note", "note", "--json")
        struct Result: Decodable { var imported: Int, unchanged: Int }
        let result = try outcome.decode(Result.self)
        #expect(result.imported == count - stored && result.unchanged == stored)
        #expect(try DatabaseFile(of: device).count("event") == count)
    }

    @Test("an import whose rows nobody has counted shows how much of the file is read", .timeLimit(.minutes(5)))
    func uncounted() async throws {
        let lines = (0..<20_000).map { row in
            #"{"event_type":"walk","timestamp":"\#(Date(timeIntervalSince1970: 1.6e9 + Double(row * 60)).ISO8601Format())"}"#
        }
        let file = try device.folder.write(lines.joined(separator: "\n"), to: "events.jsonl")
        let terminal = try device.terminal("import", "jsonl", file, environment: ["NO_COLOR": "1"])
        #expect(await terminal.waits(for: "checking  [#"))
        #expect(await terminal.waits(for: " KB"))
        #expect(await terminal.waits(for: " of 20,000 rows") { terminal.type("\u{3}") })
        #expect(await terminal.ended() == 130, "\(terminal.shown.suffix(300))")
        #expect(try DatabaseFile(of: device).count("event") % 1000 == 0)
    }

    @Test("Ctrl-C ends the check of a server in order", .timeLimit(.minutes(5)))
    func interruptedConformance() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let terminal = try device.terminal("conformance", "--server", server.address)
        #expect(await terminal.waits(for: "pass ") { terminal.type("\u{3}") })
        #expect(await terminal.ended() == 130, "\(terminal.shown.suffix(300))")
        #expect(terminal.shown.contains(#/trendy: interrupted: \d+ rules? checked; run the same command again/#))
    }

    @Test("Ctrl-C ends a sync that waits for the server, and nothing is lost or sent twice", .timeLimit(.minutes(5)))
    func interruptedSync() async throws {
        let world = try await FaultyWorld.start()
        let device = try world.makeDevice(from: try await PreparedWorld.of(.exchange).device.home)
        world.proxy.follow(FaultPlan(.holdAnswer, "POST", "/api/v1/sync"))
        let terminal = try device.terminal("sync")
        try await world.proxy.waitForRequest { $0.path == "/api/v1/sync" }
        #expect(await terminal.waits(for: "sending  ") { terminal.type("\u{3}") })
        #expect(await terminal.ended() == 130)
        #expect(
            terminal.shown.contains(
                #/trendy: interrupted: \d changes? (was|were) sent and \d still wait; nothing is lost/#))
        let status = try await device.status()
        #expect(status.pending > 0 && status.parked == 0)
        world.proxy.release()
        try await world.expectAgreement(of: device)
    }
}
