import ArgumentParser
import TrendyNotation
import TrendyTerminal

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
                if argument.isEmpty { return "the name of the command is empty" }
                let near = meant(by: argument, among: shown(command))
                let ways = near.map { "'\((["trendy"] + path + [$0]).joined(separator: " "))'" }
                let hint = ways.isEmpty ? "" : ", did you mean \(alternatives(ways))?"
                return "there is no command '\((["trendy"] + path + [argument]).joined(separator: " "))'\(hint)"
            }
            command = next
            path.append(argument)
        }
        return nil
    }

    /// What to say of a word that names neither a command nor a type.
    static func failure(_ word: String, _ type: UnknownType) -> CommandFailure {
        let near = meant(by: word, among: shown(TrendyCommand.self) + ["--version"])
        guard !near.isEmpty else {
            let message = "there is neither a command nor a type '\(word)'; \(type.hint)"
            return .usage(message.withHint("'trendy --help' lists the commands"))
        }
        let ways = near.map { "'trendy \($0)'" } + (type.nearest.map { ["the type '\($0)'"] } ?? [])
        return .usage("there is no command 'trendy \(word)', did you mean \(alternatives(ways))?")
    }

    /// What other programs call a command; of several words here the first that is one counts.
    private static let synonyms = [
        "delete": ["rm"], "del": ["rm"], "remove": ["rm"], "add": ["log"], "new": ["add", "log"],
        "create": ["add", "log"], "ls": ["list"], "version": ["--version"],
    ]

    /// Those of some commands that a word may mean: what it is called elsewhere, a few that begin with it, or the
    /// nearest one.
    private static func meant(by word: String, among commands: [String]) -> [String] {
        if let own = synonyms[word.lowercased()]?.first(where: commands.contains) { return [own] }
        let begun = word.count < 2 ? [] : commands.filter { $0.hasPrefix(word.lowercased()) }
        if (1...3).contains(begun.count) { return begun }
        return Suggestion.nearest(to: word, among: commands).map { [$0] } ?? []
    }

    /// `a`, `a or b`, `a, b or c`.
    private static func alternatives(_ ways: [String]) -> String {
        guard ways.count > 1, let last = ways.last else { return ways.first ?? "" }
        return "\(ways.dropLast().joined(separator: ", ")) or \(last)"
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
