import ArgumentParser

/// The commands by their names.
enum CommandTree {
    /// The commands below one, without hidden ones.
    static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

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
