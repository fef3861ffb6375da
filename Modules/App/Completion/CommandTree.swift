import ArgumentParser

/// The commands by their names.
enum CommandTree {
    /// The commands below one, without hidden ones.
    static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    /// What follows `trendy`, hidden commands and `help` included.
    ///
    /// A list of its own, which a test compares with the commands: to ask each for its name is to put all of their
    /// help together first.
    static let names = [
        "log", "start", "stop", "continue", "list", "show", "edit", "rm", "undo", "redo", "today", "week", "stats",
        "calendar", "trend", "streaks", "insights", "report", "type", "prop", "place", "import", "export",
        "backup", "restore", "sync", "status", "queue", "conflicts", "quarantine", "history", "signup",
        "login", "logout", "whoami", "account", "serve", "server", "conformance", "doctor", "config", "completion",
        "manual",
        "help",
    ]

    static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    /// Every command that does something, with the words that call it.
    static func leaves(
        below command: any ParsableCommand.Type = TrendyCommand.self, path: [String] = ["trendy"]
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        let children = subcommands(of: command)
        if children.isEmpty { return [(path, command)] }
        return children.flatMap { leaves(below: $0, path: path + [name(of: $0)]) }
    }

    /// Every command, the groups included.
    static func all(
        below command: any ParsableCommand.Type = TrendyCommand.self, path: [String] = ["trendy"]
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        [(path, command)]
            + subcommands(of: command).flatMap { all(below: $0, path: path + [name(of: $0)]) }
    }
}
