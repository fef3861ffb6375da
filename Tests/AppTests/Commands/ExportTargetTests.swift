import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Where an export goes")
struct ExportTargetTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        _ = try await shell.json("log", "run", "--create-type")
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a file keeps its mode, and a link still leads to it")
    func linkAndMode() async throws {
        let file = try shell.home.write("old", to: "real.csv")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        let link = shell.home.path + "/link.csv"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.csv")
        #expect(try await shell.run("export", "csv", "--output", link).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.csv")
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("id,event_type"))
        #expect(try mode(file) == 0o640)
    }

    @Test("a link to a file that is not there yet makes that file")
    func danglingLink() async throws {
        let link = shell.home.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.json")
        #expect(try await shell.run("export", "json", "--output", link).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "new.json")
        #expect(FileManager.default.fileExists(atPath: shell.home.path + "/new.json"))
    }

    @Test("a dash is standard output, which a backup cannot go to")
    func dash() async throws {
        for form in ["csv", "json", "jsonl", "ics"] {
            let dash = try await shell.run("export", form, "--output", "-")
            #expect(dash.status == 0 && dash.output.contains("run"), "\(form)")
            #expect(!dash.output.contains("wrote"))
        }
        #expect(try await shell.run("export", "csv", "--json", "--output", "-").status == 64)
        let backup = try await shell.run("backup", "-")
        #expect(backup.status == 64 && backup.errors.contains("name a file"), "\(backup.errors)")
        #expect(!FileManager.default.fileExists(atPath: "-"))
    }

    @Test("a pipe is written into and stays a pipe; a folder is refused")
    func pipe() async throws {
        let pipe = shell.home.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        // Opened for both, so that neither end waits for the other.
        let reader = try #require(FileHandle(forUpdatingAtPath: pipe))
        #expect(try await shell.run("export", "csv", "--output", pipe).status == 0)
        #expect(String(decoding: reader.availableData, as: UTF8.self).hasPrefix("id,event_type"))
        let type = try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType
        #expect(type != .typeRegular)
        let refused = try await shell.run("export", "csv", "--output", shell.home.path)
        #expect(refused.status == 73 && refused.errors.contains("folder"))
    }

    @Test("a link to a pipe or a device is opened by the name that was given, and stays")
    func linkToStream() async throws {
        let pipe = shell.home.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for (name, target) in [("to-pipe", pipe), ("to-null", "/dev/null")] {
            let link = "\(shell.home.path)/\(name)"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let place = try ExportPlace(link)
            #expect(place.path == link)
            if case .file = place.kind { Issue.record("\(name) is taken for a file") }
            let reader = try FileHandle(forUpdating: URL(filePath: target))
            // What is no more than a pipe holds: nobody reads meanwhile.
            let answer = try await shell.run("export", "csv", "--output", link)
            #expect(answer.status == 0 && answer.output.contains("to \(link)"), "\(answer.errors)")
            if target == pipe { #expect(!reader.availableData.isEmpty) }
            try reader.close()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
            let backup = try await shell.run("backup", link, "--yes")
            #expect(backup.status == 64 && backup.errors.contains("a pipe or a device"), "\(backup.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: shell.home.path)
        #expect(!names.contains { $0.hasSuffix(".part") })
    }
}

@MainActor
@Suite("A file that is not to be written over")
struct KeptFileTests {
    private let shell: TestShell
    private let context: CommandContext

    init() throws {
        shell = try TestShell()
        let process = ProcessContext(
            environment: shell.environment, input: StandardInput(descriptor: -1), output: Output(), errors: Output(),
            wallClock: shell.clock, identifiers: UUIDv7Generator(clock: shell.clock), zone: .utc)
        let folders = Folders(data: shell.home.path, config: shell.home.path)
        context = CommandContext(
            root: CompositionRoot(configuration: TrendyConfiguration(folders: folders), process: process),
            wantsJSON: false)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: shell.home.path) }
    }

    @Test("is made where there is none, and kept where there is one")
    func kept() throws {
        let path = shell.home.path + "/page.html"
        let target = ExportTarget(path: path, context: context, keepsOther: true)
        try target.requireFree()
        try target.write { try $0.write("first") }
        #expect(throws: CommandFailure.self) { try target.requireFree() }
        let refused = #expect(throws: CommandFailure.self) { try target.write { try $0.write("second") } }
        #expect(refused?.status == .cannotCreate && refused?.message.contains("page.html exists already") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
        #expect(try files == ["page.html"])
        try ExportTarget(path: path, context: context).write { try $0.write("third") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "third")
    }
}
