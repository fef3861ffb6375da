import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The options of `signup` and `login`.
struct AccountOptions: ParsableArguments {
    @Option(name: .long, help: "The URL (default: TRENDY_SERVER, or the last one).")
    var server: String?

    @Option(name: .long, help: "The e-mail address of the account.")
    var email: String?

    @Flag(name: .long, help: "Read the password from standard input.")
    var passwordStdin = false

    static let serverHelp = """
        The last server is remembered. 'trendy config set server URL' sets it for good.
        """

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }

    /// The address of the server.
    @MainActor
    func address(in context: CommandContext) throws -> ServerAddress {
        if let text = context.root.configuration.server { return try ServerAddress(parse: text) }
        if let server = try context.root.signIn.server { return server }
        // The store remembers its account after a logout.
        if let last = try context.ownership.owner()?.server { return try ServerAddress(parse: last) }
        throw CommandFailure.usage("no server is known; give --server URL or set TRENDY_SERVER")
    }

    /// The e-mail address; asks for it if it was not given.
    @MainActor
    func email(in context: CommandContext) throws -> String {
        var answer = email
        if answer == nil, context.process.input.isTerminal, !passwordStdin {
            answer = try context.question.ask("E-mail: ")
        }
        let email = Names.trimmed(answer ?? "")
        if email.isEmpty { throw CommandFailure.usage("no account was given; give --email ADDRESS") }
        return email
    }

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

    @Flag(name: .long, help: "Contact the server even if it asked to wait.")
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
        commandName: "signup", abstract: "Create an account on a server and sign in.",
        discussion: """
            \(AccountOptions.serverHelp)
            Example:
              trendy signup --server https://trendy.example.org --email ann@example.org
            """)

    @OptionGroup var account: AccountOptions

    @Option(name: .long, help: "The invitation code, if the server needs one.")
    var invite: String?

    @Flag(name: .long, help: "Contact the server even if it asked to wait.")
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
        commandName: "logout", abstract: "Sign out. The records on this device stay.",
        discussion: "Example:\n  trendy logout")

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let signIn = try context.root.signIn
        if signIn.isFromEnvironment {
            throw CommandFailure.usage("the token comes from TRENDY_TOKEN; unset it to sign out")
        }
        guard let current = signIn.current else {
            // Credentials for another server are removed, too.
            try signIn.credentials.clear()
            return try context.say("nobody was signed in", json: SignInJSON(isSignedIn: false, server: nil))
        }
        var remark = ""
        do {
            let client = try context.root.makeClient(current.server, signIn.credentials)
            // While the server asks to wait, no request is sent, not even this one.
            try await context.root.engine.underBreaker { try await client.logout() }
        } catch APIError.rateLimited {
            remark = "; the server was not told, because it asked to wait; the token expires by itself"
        } catch is APIError {
            remark = "; the server could not be reached; the token expires by itself"
        } catch is StoreError {
            remark = "; the server was not told, because the store cannot be opened; the token expires by itself"
        }
        try signIn.credentials.clear()
        try context.say(
            "signed out of \(current.server)\(remark)",
            json: SignInJSON(isSignedIn: false, server: current.server.description))
    }
}
