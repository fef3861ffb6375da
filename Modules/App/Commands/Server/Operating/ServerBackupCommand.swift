import ArgumentParser
import Foundation
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerBackupCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a copy of the server's data into a file.",
        discussion: """
            The copy is of one moment, also while the server runs. It is checked, and safe
            on the disk, before it gets its name. It has password hashes and everybody's
            records: keep it where nobody else can read it. 'server restore' brings it
            back. For PostgreSQL use pg_dump.

            Example:
              trendy server backup /backup/trendy-2026-03-10.sqlite --data /var/lib/trendy
            """)

    @Argument(help: "The file; it must not exist.")
    var file: String

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        if file.isEmpty || file == "-" { throw CommandFailure.usage("a backup is a database file; name a file") }
    }

    func run(in context: CommandContext) async throws {
        try context.ownFiles.refuse(file, "name another file")
        let path = try ExportPlace.resolved(file)
        try FileFailure.requireWritable(path)
        if ExportPlace.isStream(path) { throw CommandFailure.usage("\(file) is no file; name a file") }
        let manager = try place.open(in: context)
        let report = try manager.backUp(to: URL(filePath: path), isForced: force)
        let text = "\(counted(report.accounts, "account")) and \(counted(report.records, "record"))"
        try context.say(
            "wrote \(file) with \(text)",
            json: ServerCopy(file: file, accounts: report.accounts, records: report.records))
    }
}

/// A copy of a server's data, as JSON.
private struct ServerCopy: Encodable {
    var file: String
    var accounts: Int
    var records: Int
}
