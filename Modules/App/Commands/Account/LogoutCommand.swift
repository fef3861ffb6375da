import ArgumentParser
import TrendyData
import TrendyDomain

struct LogoutCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out; the records here stay.",
        discussion: "Example:\n  trendy logout")

    @OptionGroup var common: CommonOptions

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
            try await context.root.makeClient(current.server, signIn.credentials).logout()
        } catch is APIError {
            remark = "; the server could not be told"
        }
        try signIn.credentials.clear()
        try context.say(
            "signed out of \(current.server)\(remark)",
            json: SignedIn(isSignedIn: false, server: current.server.description))
    }
}
