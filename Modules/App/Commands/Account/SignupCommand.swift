import ArgumentParser

struct SignupCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signup", abstract: "Make an account on a server and sign in.",
        discussion: """
            \(AccountOptions.serverHelp)
            Example:
              trendy signup --server https://trendy.example.org --email ann@example.org
            """)

    @OptionGroup var account: AccountOptions

    @Option(name: .long, help: "The code of an invitation, where the server wants one.")
    var invite: String?

    @Flag(name: .long, help: "Ask the server, though it wants a pause.")
    var now = false

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { account.flags }
    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        try await Registration(context: context, way: .signup, invite: invite).run(account, now: now)
    }
}
