import ArgumentParser

struct LoginCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in to a server.",
        discussion: """
            \(AccountOptions.serverHelp)
            Example:
              trendy login --server https://trendy.example.org --email ann@example.org
            """)

    @OptionGroup var account: AccountOptions

    @Flag(name: .long, help: "Ask the server, though it wants a pause.")
    var now = false

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { account.flags }
    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        try await Registration(context: context, way: .login).run(account, now: now)
    }
}
