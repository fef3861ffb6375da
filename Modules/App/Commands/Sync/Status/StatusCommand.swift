import ArgumentParser
import TrendyNotation
import TrendyTerminal

struct StatusCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show at a glance what is here, what waits and what is wrong.",
        discussion: """
            Timers that run, the sign-in, what waits to be sent, the last sync and the next try; and whatever is
            wrong, with the command that helps. It asks no server.
            Example:
              trendy status
            """)

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await StatusRequest().run(in: context)
    }
}

/// Asks for the status.
struct StatusRequest: CommandAction, Equatable {
    func run(in context: CommandContext) async throws {
        let status = try await StatusReport.read(context)
        if context.wantsJSON { return try context.output.json(status) }
        let lines = status.lines(zone: context.process.zone, now: context.now, on: context.screen)
        for line in lines { try context.output.line(line) }
    }
}

/// Something that is wrong or waits for the person, and the command that helps.
struct StatusProblem: Encodable {
    /// What it is, in one stable word for programs.
    enum Kind: String, Encodable {
        /// Nobody is signed in, and changes wait.
        case signedOut = "signed_out"
        /// The file of the sign-in cannot be read.
        case signIn = "sign_in"
        /// The latest sync failed.
        case sync
        /// The server refused changes.
        case refused
        /// Both sides changed the same.
        case conflicts
        /// The server sent what cannot be used.
        case quarantine
    }

    var kind: Kind
    /// What is wrong.
    var message: String
    /// What to type; nil where nothing helps but waiting.
    var command: String?

    /// The label of its line.
    var label: String {
        switch kind {
        case .signedOut, .signIn: "sign-in"
        case .sync: "trouble"
        case .refused: "refused"
        case .conflicts: "conflicts"
        case .quarantine: "set aside"
        }
    }
}
