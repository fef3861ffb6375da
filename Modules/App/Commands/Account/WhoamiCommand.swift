import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct WhoamiCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show who is signed in, and where.", discussion: "Example:\n  trendy whoami")

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let signIn = try context.root.signIn
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        var email = current.email
        var userId = current.userId
        if userId == nil {
            // A token from the environment does not say whose it is.
            let account = try await owner(of: current, signIn, in: context)
            email = account.email
            userId = account.id
        }
        try context.say(
            "\(email ?? userId ?? "somebody") at \(current.server)",
            json: SignedIn(
                isSignedIn: true, server: current.server.description, email: email, userId: userId))
    }

    @MainActor
    private func owner(of current: Credentials, _ signIn: ServerSession, in context: CommandContext) async throws
        -> AccountInfo
    {
        let client = try context.root.makeClient(current.server, signIn.credentials)
        do {
            // The question is a request like any other: while the server wants silence it is not asked.
            return try await context.root.engine.underBreaker(of: client.serverName, provesHealth: false) {
                try await client.me()
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.text(seconds.rounded(.up))
            throw CommandFailure(.tryLater, "\(current.server) wants no requests for \(pause); ask again then")
        } catch APIError.unauthorized where signIn.isFromEnvironment {
            throw CommandFailure.badToken(at: current.server)
        }
    }
}

extension CommandFailure {
    /// The token from the environment is none that the server knows.
    static func badToken(at server: ServerAddress) -> CommandFailure {
        .signIn("the token in TRENDY_TOKEN is not accepted by \(server); check TRENDY_TOKEN")
    }

    /// Nobody is signed in.
    static func notSignedIn(at server: ServerAddress?) -> CommandFailure {
        let url = server.map(\.description) ?? "URL"
        return .signIn("not signed in; run 'trendy login --server \(url) --email ADDRESS' first")
    }
}
