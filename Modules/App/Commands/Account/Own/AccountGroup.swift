import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct AccountGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Manage your account on the server.",
        discussion: """
            See also 'trendy signup', 'trendy login', 'trendy logout' and 'trendy whoami'.

            Example:
              trendy account sessions
            """,
        subcommands: [
            AccountPasswordCommand.self, AccountSessionsCommand.self, AccountSignOutCommand.self,
            AccountExportCommand.self, AccountDeleteCommand.self,
        ])
}

/// Requests about the account that is signed in.
@MainActor
struct OwnAccount {
    let client: APIClient
    let email: String
    private let context: CommandContext

    /// - Throws: ``CommandFailure`` if nobody is signed in.
    init(in context: CommandContext) throws {
        let signIn = try context.root.signIn
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        client = try context.root.makeClient(current.server, signIn.credentials)
        email = current.email ?? "this account"
        self.context = context
    }

    /// Makes sure that a Trendy server answers, before a password is asked for and sent.
    func checkServer() async throws {
        do {
            try await send { try await $0.checkIdentity() }
        } catch APIError.unauthorized {
            throw CommandFailure.refusedHealthCheck(of: client.server)
        }
    }

    /// Sends a request, unless the server asked to wait.
    func send<Answer: Sendable>(_ request: @Sendable (APIClient) async throws -> Answer) async throws -> Answer {
        let client = client
        do {
            return try await context.root.engine.underBreaker(of: client.serverName, provesHealth: false) {
                try await request(client)
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.wait(seconds)
            throw CommandFailure(.tryLater, "\(client.server) asked to wait \(pause); try again then")
        } catch APIError.http(403, let problem) {
            let isPassword = problem.errors?.contains { $0.field == "password" } == true
            throw CommandFailure.signIn(
                isPassword
                    ? "the password is wrong; nothing was changed"
                    : problem.detail ?? "the server does not allow this for this account")
        }
    }
}

struct AccountPasswordCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Change the password. All other devices are signed out.",
        discussion: """
            The command asks for the present password, and twice for the new one. With
            --password-stdin, line 1 is the present password and line 2 is the new one.

            Example:
              trendy account password
            """)

    @Flag(name: .long, help: "Read both passwords from standard input.")
    var passwordStdin = false

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require()
        try await account.checkServer()
        let present = try source.password("Present password: ", isNew: false)
        let new = try source.password("New password: ", isNew: true)
        let ended = try await account.send { try await $0.changePassword(from: present, to: new) }
        try context.say(
            "changed the password of \(account.email); signed out \(counted(ended, "other device"))",
            json: EndedSessions(sessionsEnded: ended))
    }
}

/// The number of sign-ins that were ended, as JSON.
struct EndedSessions: Encodable {
    var sessionsEnded: Int

    private enum CodingKeys: String, CodingKey {
        case sessionsEnded = "sessions_ended"
    }
}

struct AccountSessionsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the signed-in devices, or sign one out.",
        discussion: """
            The time of the last use is accurate to the hour.

            Examples:
              trendy account sessions
              trendy account sessions --end 5e0453b6
            """)

    @Option(name: .long, help: "Sign this device out; the id is in the list.")
    var end: String?

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let sessions = try await account.send { try await $0.sessions() }
        if let end { return try await self.end(end, sessions, account, in: context) }
        if context.wantsJSON { return try context.output.jsonArray(sessions) }
        var table = TextTable("ID", "DEVICE", "SIGNED IN", "LAST USED", spare: ["SIGNED IN"])
        let zone = context.process.zone
        for session in sessions {
            let name = session.device ?? "unnamed"
            table.add(
                ShortId.of(session.id), session.isCurrent ? "\(name), this one" : name,
                zone.minuteText(session.createdAt), zone.minuteText(session.usedAt))
        }
        try context.print(table, on: context.screen, whenEmpty: "no device is signed in")
    }

    @MainActor
    private func end(
        _ word: String, _ sessions: [AccountSession], _ account: OwnAccount, in context: CommandContext
    ) async throws {
        let found = sessions.filter { $0.id == word || (!word.isEmpty && $0.id.hasSuffix(word.lowercased())) }
        guard let session = found.first, found.count == 1 else {
            throw CommandFailure.data(
                "\(found.isEmpty ? "no device" : "more than one device") has the id \(word); "
                    + "'trendy account sessions' lists them")
        }
        if session.isCurrent { throw CommandFailure.usage("that is this device; sign it out with 'trendy logout'") }
        try await account.send { try await $0.endSession(session.id) }
        try context.say("signed \(session.device ?? "the device") out", json: session)
    }
}

struct AccountSignOutCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out-everywhere", abstract: "Sign out all devices, including this one.",
        discussion: """
            The devices keep their records, and sync again after the next sign-in.

            Example:
              trendy account sign-out-everywhere
            """)

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let ended = try await account.send { try await $0.signOutEverywhere() }
        try context.say(
            "\(account.email) is signed out on \(counted(ended, "device")), including this one",
            json: EndedSessions(sessionsEnded: ended))
    }
}
