import Foundation
import Testing

@Suite("Reports, backups and restores of much on a terminal: progress, and Ctrl-C", .fewAtOnce)
struct CopyProgressTests {
    /// Runs a command until it shows a text, then types Ctrl-C, and answers what it said last.
    ///
    /// - Parameter reset: Undoes what the command does, where it was done before Ctrl-C reached it.
    private func interrupt(
        _ device: Device, _ arguments: [String], when text: String, reset: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        for _ in 0..<10 {
            let terminal = try device.terminal(arguments, environment: ["NO_COLOR": "1"])
            let isSeen = await terminal.waits(for: text) { terminal.type("\u{3}") }
            #expect(isSeen, "\(terminal.shown.suffix(300))", sourceLocation: sourceLocation)
            let status = await terminal.ended()
            if status == 130 { return terminal.shown }
            #expect(status == 0, "\(terminal.shown.suffix(300))", sourceLocation: sourceLocation)
            try reset()
        }
        Issue.record("Ctrl-C never came in time", sourceLocation: sourceLocation)
        return ""
    }

    private func files(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
    }

    @Test("a report shows how far it is, and Ctrl-C leaves the one before", .timeLimit(.minutes(5)))
    func report() async throws {
        let device = try await LargeStore.makeDevice()
        let page = try device.folder.write("the one before", to: "page.html")
        let said = try await interrupt(device, ["report", "--output", page], when: "reading  [#") {
            try Data("the one before".utf8).write(to: URL(filePath: page))
        }
        #expect(
            said.contains("interrupted: no report was written, and \(page) is unchanged; run the same command"))
        #expect(try String(contentsOfFile: page, encoding: .utf8) == "the one before")
        let terminal = try device.terminal("report", "--output", page)
        #expect(await terminal.waits(for: " of 600,000 values"))
        #expect(await terminal.ended() == 0)
        #expect(terminal.shown.hasSuffix("\r\u{1B}[Kwrote a report of 300000 events to \(page)\r\n"))
    }

    @Test("a backup shows what it does, and Ctrl-C leaves none that is half", .timeLimit(.minutes(5)))
    func backup() async throws {
        let device = try await LargeStore.makeDevice()
        let copies = try device.folder.makeSubfolder()
        let copy = copies.appending(path: "copy.sqlite").path
        // Whichever of its steps it is at: "copying", or "checking the copy".
        let said = try await interrupt(device, ["backup", copy], when: "ing ") {
            try FileManager.default.removeItem(atPath: copy)
        }
        #expect(said.contains("interrupted: no backup was written, and no file is left behind; run the same command"))
        #expect(try files(copies) == [])
        let terminal = try device.terminal("backup", copy)
        #expect(await terminal.ended() == 0)
        #expect(terminal.shown.contains("checking the copy"))
        #expect(terminal.shown.hasSuffix("\r\u{1B}[Kwrote \(copy) with 300000 events and 2 changes not sent yet\r\n"))
    }

    @Test("Ctrl-C during a restore leaves the store as it was, and nothing beside it", .timeLimit(.minutes(5)))
    func restore() async throws {
        let device = try await LargeStore.makeDevice()
        let copy = device.folder.url.appending(path: "copy.sqlite").path
        try await device.done("backup", copy)
        try await device.log("walk", "--note", "after the backup")
        let before = try files(device.home)
        // Most is still to be done then. What an end at a later moment leaves behind, `StoreCopyProgressTests` looks at.
        let said = try await interrupt(device, ["restore", "--yes", copy], when: "checking the copy") {
            throw CancellationError()
        }
        #expect(said.contains("interrupted: nothing was restored, and the store is unchanged; run the same command"))
        #expect(try files(device.home) == before)
        try expectIntact(device)
        #expect(try DatabaseFile(of: device).eventId(note: "after the backup") != nil)
        try await device.done("restore", "--yes", copy)
        #expect(try DatabaseFile(of: device).count("event") == LargeStore.events)
    }
}
