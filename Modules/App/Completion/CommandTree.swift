import ArgumentParser

/// The commands by their names.
enum CommandTree {
    /// The subcommands of a command, without hidden ones.
    static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    /// The names of all first-level commands, with hidden ones and `help`.
    ///
    /// The list is written out, because the commands' own names would build all help texts, which is slow. A test compares
    /// the list with the commands.
    static let names = [
        "log", "start", "stop", "continue", "list", "show", "edit", "rm", "undo", "redo", "today", "week", "stats",
        "calendar", "trend", "streaks", "insights", "report", "type", "prop", "place", "import", "export",
        "backup", "restore", "sync", "status", "queue", "conflicts", "quarantine", "history", "signup",
        "login", "logout", "whoami", "account", "serve", "server", "conformance", "doctor", "config", "completion",
        "manual",
        "help",
    ]

    static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    /// All commands without subcommands, with the words that call them.
    static func leaves(
        below command: any ParsableCommand.Type = TrendyCommand.self, path: [String] = ["trendy"]
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        let children = subcommands(of: command)
        if children.isEmpty { return [(path, command)] }
        return children.flatMap { leaves(below: $0, path: path + [name(of: $0)]) }
    }

    /// All commands, with the groups.
    static func all(
        below command: any ParsableCommand.Type = TrendyCommand.self, path: [String] = ["trendy"]
    ) -> [(path: [String], command: any ParsableCommand.Type)] {
        [(path, command)]
            + subcommands(of: command).flatMap { all(below: $0, path: path + [name(of: $0)]) }
    }
}
