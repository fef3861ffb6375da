import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// What `signup` and `login` are told.
struct AccountOptions: ParsableArguments {
    @Option(name: .long, help: "The server's URL; else TRENDY_SERVER or the last.")
    var server: String?

    @Option(name: .long, help: "The e-mail address of the account.")
    var email: String?

    @Flag(name: .long, help: "Read the password from standard input, one line.")
    var passwordStdin = false

    /// Where the server may come from, for the help.
    static let serverHelp = """
        The last server is remembered. It may also stand in the configuration
        file as {"server": "https://…"}: config.json in $TRENDY_HOME, else in
        $XDG_CONFIG_HOME/trendy or ~/.config/trendy.
        """

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }

    /// The address of the server.
    @MainActor
    func address(in context: CommandContext) throws -> ServerAddress {
        if let text = context.root.configuration.server { return try ServerAddress(parse: text) }
        if let server = try context.root.signIn.server { return server }
        // A store remembers its account when that is signed out.
        if let last = try context.ownership.owner()?.server { return try ServerAddress(parse: last) }
        throw CommandFailure.usage("which server? Give --server URL or set TRENDY_SERVER")
    }

    /// The e-mail address, asked for where it was not given.
    @MainActor
    func email(in context: CommandContext) throws -> String {
        var answer = email
        if answer == nil, context.process.input.isTerminal, !passwordStdin {
            answer = try context.question.ask("E-mail: ")
        }
        let email = Names.trimmed(answer ?? "")
        if email.isEmpty { throw CommandFailure.usage("which account? Give --email ADDRESS") }
        return email
    }

    /// Where the password comes from.
    @MainActor
    func passwordSource(in context: CommandContext) -> PasswordSource {
        PasswordSource(context: context, isStandardInput: passwordStdin)
    }
}

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

struct LogoutCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out; the records here stay.",
        discussion: "Example:\n  trendy logout")

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let signIn = try context.root.signIn
        if signIn.isFromEnvironment {
            throw CommandFailure.usage("the token comes from TRENDY_TOKEN; unset it to sign out")
        }
        guard let current = signIn.current else {
            // Credentials that are for another server than the chosen one go too.
            try signIn.credentials.clear()
            return try context.say("nobody was signed in", json: SignedIn(isSignedIn: false, server: nil))
        }
        var remark = ""
        do {
            let client = try context.root.makeClient(current.server, signIn.credentials)
            // A request like any other: while the server wants silence it is not told.
            try await context.root.engine.underBreaker { try await client.logout() }
        } catch APIError.rateLimited {
            remark = "; the server was not told, because it wants no requests now, and its token ends by itself"
        } catch is APIError {
            remark = "; the server could not be told, and its token ends by itself"
        } catch is StoreError {
            remark = "; the server was not told, because the store cannot be used"
        }
        try signIn.credentials.clear()
        try context.say(
            "signed out of \(current.server)\(remark)",
            json: SignedIn(isSignedIn: false, server: current.server.description))
    }
}
