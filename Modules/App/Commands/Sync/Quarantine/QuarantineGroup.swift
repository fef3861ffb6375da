import ArgumentParser

struct QuarantineGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "What the server sent and this version cannot use, kept as it came: list, discard.",
        discussion: "Example:\n  trendy quarantine\n  trendy quarantine discard 3f9a1c2e",
        subcommands: [QuarantineListCommand.self, QuarantineDiscardCommand.self],
        defaultSubcommand: QuarantineListCommand.self)
}
