import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct AccountGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Look after your account on the server.",
        discussion: """
            'signup', 'login', 'logout' and 'whoami' are commands of their own.

            Example:
              trendy account sessions
            """,
        subcommands: [
            AccountPasswordCommand.self, AccountSessionsCommand.self, AccountSignOutCommand.self,
            AccountExportCommand.self, AccountDeleteCommand.self,
        ])
}

/// The requests of somebody who is signed in, about the own account.
@MainActor
struct OwnAccount {
    let client: APIClient
    let email: String
    private let context: CommandContext

    /// - Throws: ``CommandFailure`` where nobody is signed in.
    init(in context: CommandContext) throws {
        let signIn = try context.root.signIn
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        client = try context.root.makeClient(current.server, signIn.credentials)
        email = current.email ?? "this account"
        self.context = context
    }

    /// Sends a request, unless the server wants silence.
    func send<Answer: Sendable>(_ request: @Sendable (APIClient) async throws -> Answer) async throws -> Answer {
        let client = client
        do {
            return try await context.root.engine.underBreaker(of: client.serverName, provesHealth: false) {
                try await request(client)
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.text(seconds.rounded(.up))
            throw CommandFailure(.tryLater, "\(client.server) wants no requests for \(pause); ask again then")
        } catch APIError.http(403, let problem) {
            let isPassword = problem.errors?.contains { $0.field == "password" } == true
            throw CommandFailure.signIn(
                isPassword
                    ? "the password is wrong; nothing was changed"
                    : problem.detail ?? "the server does not let this account do that")
        }
    }
}

struct AccountPasswordCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Change the password; signs all other devices out.",
        discussion: """
            It asks for the present password and twice for the new one. With
            --password-stdin the first line is the present one and the second the new one.

            Example:
              trendy account password
            """)

    @Flag(name: .long, help: "Read both from standard input, a line each.")
    var passwordStdin = false

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require()
        let present = try source.password("Present password: ", isNew: false)
        let new = try source.password("New password: ", isNew: true)
        let ended = try await account.send { try await $0.changePassword(from: present, to: new) }
        try context.say(
            "\(account.email) has another password; \(counted(ended, "other device")) signed out",
            json: EndedSessions(sessionsEnded: ended))
    }
}

/// How many sign-ins were ended, as JSON.
struct EndedSessions: Encodable {
    var sessionsEnded: Int

    private enum CodingKeys: String, CodingKey {
        case sessionsEnded = "sessions_ended"
    }
}

struct AccountSessionsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the devices that are signed in; end one.",
        discussion: """
            When a device was used last is seen to the hour.

            Examples:
              trendy account sessions
              trendy account sessions --end 5e0453b6
            """)

    @Option(name: .long, help: "Sign that device out: its id, or the end of it as the list shows it.")
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
        if session.isCurrent { throw CommandFailure.usage("that is this device; 'trendy logout' signs it out") }
        try await account.send { try await $0.endSession(session.id) }
        try context.say("signed \(session.device ?? "the device") out", json: session)
    }
}

struct AccountSignOutCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out-everywhere", abstract: "Sign out on all devices, this one too.",
        discussion: """
            What is on the devices stays there, and syncs again after the next sign-in.

            Example:
              trendy account sign-out-everywhere
            """)

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let ended = try await account.send { try await $0.signOutEverywhere() }
        try context.say(
            "\(account.email) is signed out on \(counted(ended, "device")), this one too",
            json: EndedSessions(sessionsEnded: ended))
    }
}
