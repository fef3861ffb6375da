import ArgumentParser

/// Says which command a person may have meant.
enum UnknownCommand {
    /// The message for arguments whose first words name no command; nil where they name one.
    static func message(_ arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = TrendyCommand.self
        var path: [String] = []
        for argument in arguments where !argument.hasPrefix("-") {
            let known = subcommands(of: command)
            if known.isEmpty { return nil }
            guard let next = known.first(where: { name(of: $0) == argument }) else {
                if argument == "help" { return nil }
                let near = meant(by: argument, among: shown(command))
                let hint = near.map { ", did you mean '\((["trendy"] + path + [$0]).joined(separator: " "))'?" } ?? ""
                return "there is no command '\((["trendy"] + path + [argument]).joined(separator: " "))'\(hint)"
            }
            command = next
            path.append(argument)
        }
        return nil
    }

    /// What to say of a word that names neither a command nor a type.
    static func failure(_ word: String, _ type: UnknownType) -> CommandFailure {
        guard let near = meant(by: word, among: shown(TrendyCommand.self) + ["--version"]) else {
            let message = "there is neither a command nor a type '\(word)'; \(type.hint)"
            return .usage(message.withHint("'trendy --help' lists the commands"))
        }
        let other = type.nearest.map { " or the type '\($0)'" } ?? ""
        return .usage("there is no command 'trendy \(word)', did you mean 'trendy \(near)'\(other)?")
    }

    /// What other programs call a command; of several words here the first that is one counts.
    private static let synonyms = [
        "delete": ["rm"], "del": ["rm"], "remove": ["rm"], "add": ["log"], "new": ["add", "log"],
        "create": ["add", "log"], "ls": ["list"], "version": ["--version"],
    ]

    /// The one of some commands that a word may mean.
    private static func meant(by word: String, among commands: [String]) -> String? {
        synonyms[word.lowercased()]?.first(where: commands.contains)
            ?? Suggestion.nearest(to: word, among: commands)
    }

    /// The words of the command that the arguments name, as far as there is one.
    static func path(_ arguments: [String]) -> [String] { named(arguments).path }

    /// The command that the arguments name, as far as there is one, and its words.
    static func named(_ arguments: [String]) -> (command: any ParsableCommand.Type, path: [String]) {
        var command: any ParsableCommand.Type = TrendyCommand.self
        var path = ["trendy"]
        for argument in arguments where !argument.hasPrefix("-") {
            guard let next = subcommands(of: command).first(where: { name(of: $0) == argument }) else { break }
            command = next
            path.append(argument)
        }
        return (command, path)
    }

    /// The commands below one, hidden ones included.
    static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands
    }

    /// The names that are no secret.
    private static func shown(_ command: any ParsableCommand.Type) -> [String] {
        CommandTree.subcommands(of: command).map(name)
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        CommandTree.name(of: command)
    }
}
