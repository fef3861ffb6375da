import ArgumentParser

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
