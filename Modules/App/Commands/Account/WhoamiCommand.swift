import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct WhoamiCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show the account and the server of the sign-in.",
        discussion: "Example:\n  trendy whoami")

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let signIn = try context.root.signIn
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        var email = current.email
        var userId = current.userId
        if userId == nil {
            // Only the server knows the account of a token from the environment.
            let account = try await owner(of: current, signIn, in: context)
            email = account.email
            userId = account.id
        }
        try context.say(
            "\(email ?? userId ?? "somebody") at \(current.server)",
            json: SignInJSON(
                isSignedIn: true, server: current.server.description, email: email, userId: userId))
    }

    @MainActor
    private func owner(of current: Credentials, _ signIn: ServerSession, in context: CommandContext) async throws
        -> AccountInfo
    {
        let client = try context.root.makeClient(current.server, signIn.credentials)
        do {
            // While the server asks to wait, no request is sent, not even this one.
            return try await context.root.engine.underBreaker(of: client.serverName, provesHealth: false) {
                try await client.me()
            }
        } catch APIError.rateLimited(let seconds?) {
            let pause = DurationText.wait(seconds)
            throw CommandFailure(.tryLater, "\(current.server) asked to wait \(pause); try again then")
        } catch APIError.unauthorized(let reason, let mayPass) where signIn.isFromEnvironment {
            throw TokenRefusal(server: current.server, reason: reason, mayPass: mayPass)
        }
    }
}

extension CommandFailure {
    /// Nobody is signed in.
    static func notSignedIn(at server: ServerAddress?) -> CommandFailure {
        let url = server.map(\.description) ?? "URL"
        return .signIn("not signed in; run 'trendy login --server \(url) --email ADDRESS' first")
    }
}
