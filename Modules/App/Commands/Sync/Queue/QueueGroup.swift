import ArgumentParser

struct QueueGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "The changes that wait or were refused: list, show, retry, edit, drop.",
        discussion: "Example:\n  trendy queue\n  trendy queue retry --all\n  trendy queue drop 12",
        subcommands: [
            QueueListCommand.self, QueueShowCommand.self, QueueRetryCommand.self, QueueEditCommand.self,
            QueueDropCommand.self,
        ],
        defaultSubcommand: QueueListCommand.self)
}
