import ArgumentParser
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserDeleteCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account with all that it has on the server.",
        discussion: """
            It cannot be taken back; 'user export' writes the records into a file before
            that. What is on the person's devices stays there. Backups still have it.

            Example:
              trendy server user delete ann@example.org
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let account = try manager.account(address).summary
        let records = counted(Int(account.records), "record")
        let sessions = counted(account.sessions, "sign-in")
        try context.confirmation(yes).require(
            "delete the account \(account.email) with \(records) (\(SizeText.text(account.bytes))) and \(sessions), "
                + "for ever")
        try manager.deleteAccount(address)
        try context.say("deleted the account \(account.email) with \(records)", json: account)
    }
}
