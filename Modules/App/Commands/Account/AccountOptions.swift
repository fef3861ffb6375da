import ArgumentParser
import TrendyData
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
