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
