import ArgumentParser
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserAddCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account.",
        discussion: """
            The password is asked for, unless it comes from standard input or is made.

            Examples:
              trendy server user add ann@example.org
              trendy server user add ann@example.org --generate
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var given: GivenPasswordOptions
    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        try given.check()
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let password = try given.password(for: manager, in: context)
        let account = try manager.addAccount(address, password: password.text)
        let made = password.isMade ? password.text : nil
        try context.say(
            "made the account \(account.email)" + (made.map { "; its password is \($0)" } ?? ""),
            json: GivenPassword(email: account.email, id: account.id, password: made))
    }
}

struct ServerUserPasswordCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password", abstract: "Give an account another password; ends its sign-ins.",
        discussion: """
            The password is asked for, unless it comes from standard input or is made.
            The person's devices keep what they have and sign in again.

            Example:
              trendy server user reset-password ann@example.org --generate
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var given: GivenPasswordOptions
    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        try given.check()
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        // Nobody types a password for an account that is not there.
        let account = try manager.account(address).summary
        let password = try given.password(for: manager, in: context)
        let ended = try manager.setPassword(password.text, of: address)
        let made = password.isMade ? password.text : nil
        try context.say(
            "\(account.email) has another password" + (made.map { ", \($0)" } ?? "")
                + "; \(counted(ended, "sign-in")) ended",
            json: GivenPassword(email: account.email, id: account.id, password: made, sessionsEnded: ended))
    }
}

struct ServerUserSignOutCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End all sign-ins of an account.",
        discussion: """
            Its devices keep what they have, and sync again once somebody has signed in.

            Example:
              trendy server user sign-out ann@example.org
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let account = try manager.account(address).summary
        let ended = try manager.signOut(address)
        try context.say(
            "\(counted(ended, "sign-in")) of \(account.email) ended",
            json: GivenPassword(email: account.email, id: account.id, sessionsEnded: ended))
    }
}

/// What was done to an account, as JSON.
private struct GivenPassword: Encodable {
    var email: String
    var id: String
    var password: String?
    var sessionsEnded: Int?

    private enum CodingKeys: String, CodingKey {
        case email, id, password
        case sessionsEnded = "sessions_ended"
    }
}
