import ArgumentParser
import Foundation
import TrendyNotation
import TrendyServer
import TrendyTerminal

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
