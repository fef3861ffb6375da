import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct AccountDeleteCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your account with all that it has on the server.",
        discussion: """
            It asks for the address and the password, and cannot be taken back. What is on
            this device stays; 'trendy account export' writes what is on the server into a
            file before that.

            Examples:
              trendy account delete
              trendy account delete --email ann@example.org --password-stdin
            """)

    @Option(name: .long, help: "The address of the account, to be sure that it is meant.")
    var email: String?

    @Flag(name: .long, help: "Read the password from standard input, one line.")
    var passwordStdin = false

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let isPerson = context.process.input.isTerminal && !passwordStdin
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require()
        var address = email
        if address == nil, isPerson {
            address = try context.question.ask(
                "This deletes \(account.email) at \(account.client.server) for ever. Type its address to go on: ")
        }
        let typed = Names.trimmed(address ?? "")
        guard !typed.isEmpty else {
            throw CommandFailure.usage("this deletes an account for ever; name it with --email ADDRESS")
        }
        let password = try source.password(isNew: false)
        try await account.send { try await $0.deleteAccount(email: typed, password: password) }
        let events = try context.reader.counts()[.event] ?? 0
        try context.say(
            "deleted the account \(typed) with all that it had on the server; the \(counted(events, "event")) on this "
                + "device stay, and 'trendy export json' writes them into a file",
            json: DeletedAccount(email: typed, server: account.client.server.description, eventsHere: events))
    }
}

/// What was deleted and what stays, as JSON.
private struct DeletedAccount: Encodable {
    var email: String
    var server: String
    var eventsHere: Int

    private enum CodingKeys: String, CodingKey {
        case email, server
        case eventsHere = "events_here"
    }
}
