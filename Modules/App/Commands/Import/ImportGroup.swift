import ArgumentParser

struct ImportGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring events in from a file.",
        discussion: "Example:\n  trendy import csv habits.csv --time date --type habit",
        subcommands: [ImportCSVCommand.self])
}
