import ArgumentParser
import Foundation
import TrendyNotation
import TrendyServer
import TrendyTerminal

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
