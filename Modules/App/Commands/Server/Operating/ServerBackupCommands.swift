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
        if Output.isStream(path) { throw CommandFailure.usage("\(file) is no file; name a file") }
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

struct ServerRestoreCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring back what 'server backup' wrote; the server must be stopped.",
        discussion: """
            Every account gets a new epoch, so that its devices take all anew and send what
            they have not sent yet. What was synced after the backup is on the devices
            alone: each shows it as lost by the server, and sends it again when asked to.
            With PostgreSQL, run pg_restore and then 'restore --epochs-only'.

            Examples:
              trendy server restore /backup/trendy.sqlite --data /var/lib/trendy
              trendy server restore --epochs-only --database postgresql://localhost/trendy
            """)

    @Argument(help: "The file that 'server backup' wrote.")
    var file: String?

    @Flag(name: .long, help: "Replace the data that is there; it is kept beside the new.")
    var force = false

    @Flag(name: .long, help: "Restore nothing, and give every account a new epoch.")
    var epochsOnly = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        if epochsOnly, file != nil { throw CommandFailure.usage("--epochs-only excludes a file") }
        if !epochsOnly, file == nil { throw CommandFailure.usage("name the file that 'trendy server backup' wrote") }
        if !epochsOnly, place.database != nil {
            throw OperatorError.onlySQLite(
                instead: "use pg_restore, then 'trendy server restore --epochs-only --database URL'")
        }
    }

    func run(in context: CommandContext) async throws {
        guard let file else {
            let count = try place.open(in: context).renewEpochs()
            return try context.say(
                "\(counted(count, "account")) got a new epoch", json: Renewed(accounts: count))
        }
        let restore = ServerRestore(dataDirectory: try place.folder(in: context), clock: context.process.wallClock)
        let report = try restore.run(from: URL(filePath: file), isForced: force)
        let text = "\(counted(report.accounts, "account")) and \(counted(report.records, "record"))"
        let kept = report.previous.map { "; what was there is in \($0)" } ?? ""
        try context.say("restored \(text) from \(file)\(kept)", json: report)
    }
}

/// How many accounts have a new epoch, as JSON.
private struct Renewed: Encodable {
    var accounts: Int
}

struct ServerMoveCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a whole server from its folder into PostgreSQL.",
        discussion: """
            Accounts, sign-ins, records and all else go into an empty database, are read
            back and compared. Devices notice nothing. Stop the server first, and start it
            with --database afterwards, never on the folder again. The folder stays as it
            is. Set PGPASSWORD to keep a password out of the URL.

            Example:
              trendy server move --from /var/lib/trendy --to postgresql://localhost/trendy
            """)

    @Option(name: .long, help: "The folder of the server's data.")
    var from: String

    @Option(name: .long, help: "PostgreSQL's URL.")
    var to: String

    @Flag(name: .long, help: "Erase what an interrupted move has left there.")
    var anew = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if from.isEmpty { throw CommandFailure.usage("--from needs a folder") }
    }

    func run(in context: CommandContext) async throws {
        let report = try ServerMove(from: URL(fileURLWithPath: from, isDirectory: true)).run(to: to, isAnew: anew)
        let accounts = "\(counted(report.accounts, "account")) with \(counted(report.records, "record"))"
        try context.say(
            "moved \(accounts), checksum \(report.checksum.prefix(16)); start the server with --database now, and not on "
                + "\(from) again", json: report)
    }
}

/// Numbers of bytes as people read them.
enum SizeText {
    private static let units: [(size: Double, name: String)] = [
        (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"),
    ]

    /// `512 B`, `4.2 kB`, `35 MB`: two digits that count.
    static func text(_ bytes: Int64) -> String {
        let amount = Double(bytes)
        // 999.6 kB would round to a thousand of them.
        guard let unit = units.first(where: { amount >= $0.size * 0.9995 }) else { return "\(bytes) B" }
        let count = amount / unit.size
        return String(format: count < 9.95 ? "%.1f" : "%.0f", count) + " \(unit.name)"
    }
}
