import ArgumentParser
import TrendyNotation
import TrendyTerminal

struct StatusCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show timers, the sign-in, waiting changes, the last sync and problems.",
        discussion: """
            Each problem comes with the command that helps. The command does not contact the server.
            Example:
              trendy status
            """)

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        try await StatusRequest().run(in: context)
    }
}

/// The request for the status.
struct StatusRequest: CommandAction, Equatable {
    func run(in context: CommandContext) async throws {
        let status = try await StatusReport.read(context)
        if context.wantsJSON { return try context.output.json(status) }
        let lines = status.lines(zone: context.process.zone, now: context.now, on: context.screen)
        for line in lines { try context.output.line(line) }
    }
}

/// A problem or a pending decision, with the command that helps.
struct StatusProblem: Encodable {
    /// The kind, as a stable word for programs.
    enum Kind: String, Encodable {
        /// Changes wait, but nobody is signed in.
        case signedOut = "signed_out"
        /// The credentials file cannot be read.
        case signIn = "sign_in"
        /// The latest sync failed.
        case sync
        /// The clocks of this device and the server differ.
        case clock
        /// The server refused changes.
        case refused
        /// The server had changes and lost them: its data was restored or reset.
        case lost
        /// Two devices changed the same field.
        case conflicts
        /// The server sent changes that this version cannot use.
        case quarantine
    }

    var kind: Kind
    var message: String
    /// The command that helps; nil if only waiting helps.
    var command: String?

    /// The label of its line.
    var label: String {
        switch kind {
        case .signedOut, .signIn: "sign-in"
        case .sync: "trouble"
        case .clock: "clock"
        case .refused: "refused"
        case .lost: "lost"
        case .conflicts: "conflicts"
        case .quarantine: "quarantine"
        }
    }
}
