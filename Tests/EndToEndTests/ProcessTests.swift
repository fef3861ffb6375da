import Foundation
import Testing
import TrendyDomain
import TrendyProcesses

@Suite("The command line among other processes", .fewAtOnce, .timeLimit(.minutes(10)))
struct ProcessTests {
    @Test("a reader that goes away early is no error")
    func closedPipe() async throws {
        let device = try Device()
        let rows = (0..<3000).map { "2026-01-01T00:00:00.\(String(format: "%03d", $0 % 1000))Z,row number \($0)\n" }
        try await device.done("type", "add", "row")
        try await device.done(
            "import", "csv", "-", "--time", "t", "--type", "=row", "--note", "n", input: "t,n\n" + rows.joined())
        let pipe = Pipe()
        let errors = Pipe()
        let process = try Program.start(
            ["export", "json"], environment: ["TRENDY_HOME": device.home.path], output: pipe.fileHandleForWriting,
            errors: errors.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        _ = try pipe.fileHandleForReading.read(upToCount: 10)
        try pipe.fileHandleForReading.close()
        try errors.fileHandleForWriting.close()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        let exit = await process.ended()
        #expect([.code(0), .signal(SIGPIPE), .code(128 + SIGPIPE)].contains(exit))
        #expect(said.isEmpty, "\(String(decoding: said, as: UTF8.self))")
    }

    @Test(
        "/dev/stdout and /dev/stderr are written into where they are pipes, and nothing is said among what is exported",
        arguments: [["export", "csv"], ["export", "json"], ["report"]])
    func pipesByName(command: [String]) async throws {
        let device = try Device()
        try await device.log("coffee", "--create-type")
        for name in ["/dev/stdout", "/dev/stderr"] {
            let (output, errors) = (Pipe(), Pipe())
            let process = try Program.start(
                command + ["--output", name], environment: ["TRENDY_HOME": device.home.path],
                output: output.fileHandleForWriting, errors: errors.fileHandleForWriting)
            for pipe in [output, errors] { try pipe.fileHandleForWriting.close() }
            // What is exported first: the other pipe has room for a sentence.
            let (named, other) = name == "/dev/stdout" ? (output, errors) : (errors, output)
            let exported = try named.fileHandleForReading.readToEnd() ?? Data()
            let said = String(decoding: try other.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            #expect(await process.ended() == .code(0))
            let text = String(decoding: exported, as: UTF8.self)
            #expect(text.contains("coffee") && !text.contains("wrote "), "\(text.prefix(500))")
            #expect(name == "/dev/stdout" ? said.isEmpty : said.hasPrefix("wrote "), "\(said)")
        }
    }

    @Test("many that log at once lose nothing and see no locked database")
    func concurrentLogs() async throws {
        let device = try Device()
        try await device.done("type", "add", "coffee")
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for number in 0..<12 {
                group.addTask { try await device.run("log", "coffee", "--note", "\(number)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0.status != 0 }.map(\.description) == [])
        #expect(Set(try await device.events().compactMap(\.entity.notes)) == Set((0..<12).map(String.init)))
        #expect(try await device.status().pending == 13)
    }

    @Test("two syncs of one store at once leave one set of records on the server")
    func concurrentSyncs() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let (device, other) = (try Device(), try Device())
        try await device.signUp(at: server.address)
        for number in 0..<5 { try await device.log("coffee", "--create-type", "--note", "\(number)") }
        async let first = device.run("sync", "--json")
        async let second = device.run("sync", "--json")
        for outcome in [try await first, try await second] {
            #expect(outcome.status == 0, "\(outcome)")
        }
        #expect(try await device.sync().pending == 0)
        try await other.logIn(at: server.address)
        try await other.sync()
        #expect(try await other.events().count == 5)
        #expect(try await other.types().count == 1)
    }

    @Test("an import that is killed leaves whole batches, and the next one completes it")
    func killedImport() async throws {
        let device = try Device()
        try await device.done("type", "add", "row")
        let rows = (0..<20_000).map {
            "2026-01-01T\($0 / 3600 % 24 < 10 ? "0" : "")\($0 / 3600 % 24):"
                + String(format: "%02d:%02d", $0 / 60 % 60, $0 % 60) + "Z,row \($0)\n"
        }
        let file = try device.folder.write("t,n\n" + rows.joined(), to: "in.csv")
        let arguments = ["import", "csv", file, "--time", "t", "--type", "=row", "--note", "n"]
        let process = try Program.start(
            arguments, environment: ["TRENDY_HOME": device.home.path])
        while process.exit == nil, try await device.status().counts["event"] == 0 {}
        process.signal(SIGKILL)
        await process.ended()
        try await device.done(arguments)
        #expect(try await device.events().count == rows.count)
    }
}
