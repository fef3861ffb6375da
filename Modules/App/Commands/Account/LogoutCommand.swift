import ArgumentParser
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

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
