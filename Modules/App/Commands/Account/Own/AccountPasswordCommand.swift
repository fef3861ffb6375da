import ArgumentParser
import TrendyData
import TrendyNotation
import TrendyTerminal

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
