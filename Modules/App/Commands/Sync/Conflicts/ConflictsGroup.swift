import ArgumentParser

struct ConflictsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Changes made here and elsewhere that could not both stand: list, show, restore, dismiss.",
        discussion: "Example:\n  trendy conflicts\n  trendy conflicts restore 3f9a1c2e",
        subcommands: [
            ConflictsListCommand.self, ConflictsShowCommand.self, ConflictsRestoreCommand.self,
            ConflictsDismissCommand.self,
        ],
        defaultSubcommand: ConflictsListCommand.self)
}
