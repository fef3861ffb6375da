import ArgumentParser
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerInviteCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a code that somebody signs up with, once.",
        discussion: """
            'trendy serve --closed' makes accounts with such a code alone. With an address
            it is good for that one. The server keeps a hash of it: it is shown once.

            Example:
              trendy server invite ann@example.org --expires 3d
            """)

    @Argument(help: "The only address that it is good for; any otherwise.")
    var address: String?

    @Option(name: .long, help: "How long it is good: 7d, 12h.")
    var expires = "7d"

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        _ = try seconds()
    }

    private func seconds() throws -> Double {
        guard expires.contains(where: \.isLetter), let seconds = DurationText.parse(expires), seconds > 0 else {
            throw CommandFailure.usage("--expires '\(expires)' is no length of time; write it like 7d or 12h")
        }
        return seconds
    }

    func run(in context: CommandContext) async throws {
        let invitation = try place.open(in: context).invite(address, lasting: try seconds())
        let end = context.process.zone.minuteText(invitation.expiresAt)
        let whom = invitation.email.map { "\($0) signs" } ?? "one person signs"
        try context.say(
            "\(whom) up with it until \(end): trendy signup --server URL --invite \(invitation.code)",
            json: invitation)
    }
}
