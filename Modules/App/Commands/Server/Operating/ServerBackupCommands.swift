import ArgumentParser
import Foundation
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerBackupCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a backup of the server's data into a file.",
        discussion: """
            The backup has the data of one moment, even if the server is running. It is
            checked, and gets its name when it is complete. It contains password hashes
            and the records of all accounts: store it where nobody else can read it.
            'trendy server restore' restores it. For PostgreSQL use pg_dump.

            Example:
              trendy server backup /backup/trendy-2026-03-10.sqlite --data /var/lib/trendy
            """)

    @Argument(help: "The file, which must not exist.")
    var file: String

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        if file.isEmpty || file == "-" {
            throw CommandFailure.usage("a backup cannot go to standard output; name a file")
        }
    }

    func run(in context: CommandContext) async throws {
        try context.ownFiles.refuse(file, "name another file")
        let path = try ExportPlace.resolved(file)
        try FileFailure.requireWritable(path)
        if Output.isStream(path) { throw CommandFailure.usage("\(file) is a pipe or a device; name a file") }
        let manager = try place.open(in: context)
        let report = try manager.backUp(to: URL(filePath: path), isForced: force)
        let text = "\(counted(report.accounts, "account")) and \(counted(report.records, "record"))"
        try context.say(
            "wrote \(file) with \(text)",
            json: ServerBackupJSON(file: file, accounts: report.accounts, records: report.records))
    }
}

/// A backup of a server's data, as JSON.
private struct ServerBackupJSON: Encodable {
    var file: String
    var accounts: Int
    var records: Int
}

struct ServerRestoreCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a backup of 'server backup'. Stop the server first.",
        discussion: """
            Every account gets a new epoch, so that its devices fetch all records again and
            send their waiting changes. Records that were synced after the backup are only
            on the devices, where 'trendy queue retry' sends them again. With PostgreSQL,
            run pg_restore, and then 'trendy server restore --epochs-only'.

            Examples:
              trendy server restore /backup/trendy.sqlite --data /var/lib/trendy
              trendy server restore --epochs-only --database postgresql://localhost/trendy
            """)

    @Argument(help: "The file of 'trendy server backup'.")
    var file: String?

    @Flag(name: .long, help: "Replace existing data, which is kept in another file.")
    var force = false

    @Flag(name: .long, help: "Only give every account a new epoch.")
    var epochsOnly = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        if epochsOnly, file != nil { throw CommandFailure.usage("--epochs-only takes no file") }
        if !epochsOnly, file == nil { throw CommandFailure.usage("name a file of 'trendy server backup'") }
        if !epochsOnly, place.database != nil {
            throw OperatorError.onlySQLite(
                instead: "use pg_restore, then 'trendy server restore --epochs-only --database URL'")
        }
    }

    func run(in context: CommandContext) async throws {
        guard let file else {
            let count = try place.open(in: context).renewEpochs()
            return try context.say(
                "renewed the epoch of \(counted(count, "account"))", json: EpochRenewal(accounts: count))
        }
        let restore = ServerRestore(dataDirectory: try place.folder(in: context), clock: context.process.wallClock)
        let report = try restore.run(from: URL(filePath: file), isForced: force)
        let text = "\(counted(report.accounts, "account")) and \(counted(report.records, "record"))"
        let kept = report.previous.map { "; the former data is in \($0)" } ?? ""
        try context.say("restored \(text) from \(file)\(kept)", json: report)
    }
}

/// The number of accounts with a new epoch, as JSON.
private struct EpochRenewal: Encodable {
    var accounts: Int
}

struct ServerMoveCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Copy a server's data from its folder into PostgreSQL.",
        discussion: """
            Stop the server first. All data goes into an empty database, and is read back
            and compared. Afterwards start the server with --database, and never again with
            the folder, which is not changed. Devices need no change. Set PGPASSWORD to
            keep the password out of the URL.

            Example:
              trendy server move --from /var/lib/trendy --to postgresql://localhost/trendy
            """)

    @Option(name: .long, help: "The folder of the server's data.")
    var from: String

    @Option(name: .long, help: "The URL of the PostgreSQL database.")
    var to: String

    @Flag(name: .long, help: "Erase the remains of an interrupted move.")
    var anew = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if from.isEmpty { throw CommandFailure.usage("--from needs a folder") }
    }

    func run(in context: CommandContext) async throws {
        let report = try ServerMove(from: URL(fileURLWithPath: from, isDirectory: true)).run(to: to, isAnew: anew)
        let accounts = "\(counted(report.accounts, "account")) with \(counted(report.records, "record"))"
        try context.say(
            "moved \(accounts), checksum \(report.checksum.prefix(16)); from now on start the server with --database, not with "
                + "\(from) again", json: report)
    }
}

/// Sizes in bytes for people.
enum SizeText {
    private static let units: [(size: Double, name: String)] = [
        (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"),
    ]

    /// `512 B`, `4.2 kB`, `35 MB`: two significant digits.
    static func text(_ bytes: Int64) -> String {
        let amount = Double(bytes)
        // 999.6 kB would round to 1000 kB.
        guard let unit = units.first(where: { amount >= $0.size * 0.9995 }) else { return "\(bytes) B" }
        let count = amount / unit.size
        return String(format: count < 9.95 ? "%.1f" : "%.0f", count) + " \(unit.name)"
    }
}
