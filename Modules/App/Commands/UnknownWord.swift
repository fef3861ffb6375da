import ArgumentParser
import TrendyNotation
import TrendyTerminal

/// The errors for unknown commands, with suggestions.
enum UnknownCommand {
    /// The message for arguments that name no command; nil if they name one.
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

    /// The error for a word that names neither a command nor a type.
    static func failure(_ word: String, _ type: UnknownType) -> CommandFailure {
        let near = meant(by: word, among: shown(TrendyCommand.self) + ["--version"])
        guard !near.isEmpty else {
            let message = "there is no command or type '\(word)'; \(type.hint)"
            return .usage(message.withHint("'trendy --help' lists the commands"))
        }
        let ways = near.map { "'trendy \($0)'" } + (type.nearest.map { ["the type '\($0)'"] } ?? [])
        return .usage("there is no command 'trendy \(word)', did you mean \(alternatives(ways))?")
    }

    /// The commands that correspond to command names of other programs; the first known one counts.
    private static let synonyms = [
        "delete": ["rm"], "del": ["rm"], "remove": ["rm"], "add": ["log"], "new": ["add", "log"],
        "create": ["add", "log"], "ls": ["list"], "version": ["--version"],
    ]

    /// The commands that a word may mean: by a name of other programs, by its beginning, or by similarity.
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

    /// The words of the command that the arguments name, up to the first unknown word.
    static func path(_ arguments: [String]) -> [String] { named(arguments).path }

    /// The command that the arguments name, up to the first unknown word, and its words.
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

    /// The subcommands of a command, with hidden ones.
    static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands
    }

    /// The names of the subcommands that are not hidden.
    private static func shown(_ command: any ParsableCommand.Type) -> [String] {
        CommandTree.subcommands(of: command).map(name)
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        CommandTree.name(of: command)
    }
}

/// The errors for unknown options, with suggestions.
///
/// The parser would suggest the nearest option, however different it is.
enum UnknownOption {
    /// The message for an option that the command does not have; nil to use the parser's message.
    ///
    /// The parser reports missing arguments before unknown options; a misspelt option causes both errors.
    ///
    /// - Parameter said: The parser's own message.
    static func message(_ arguments: [String], inPlaceOf said: String) -> String? {
        if let glued = gluedValue(arguments, said) { return glued }
        let beginning = "Unknown option '"
        let isMissing = said.hasPrefix("Missing expected argument")
        guard isMissing || said.hasPrefix(beginning), !said.contains("\n") else { return nil }
        let (command, path) = UnknownCommand.named(arguments)
        let taker = command.configuration.defaultSubcommand ?? command
        guard let signature = try? CommandSignature.of(taker) else { return nil }
        let named = String(said.dropFirst(beginning.count).prefix { $0 != "'" })
        guard let option = isMissing ? first(in: arguments, unknownTo: signature) : named else { return nil }
        let known = signature.options.flatMap(\.spellings)
        let hint = meant(by: option, among: known).map { ", did you mean '\($0)'?" } ?? ""
        return "'\(path.joined(separator: " "))' has no option '\(option)'\(hint)"
    }

    /// The first argument that is an unknown option of the command.
    private static func first(in arguments: [String], unknownTo signature: CommandSignature) -> String? {
        let known = (signature.arguments ?? []).filter { $0.kind != .positional }
        var rest = arguments[...]
        while let word = rest.popFirst(), word != "--" {
            // The parser handles combined flags (-abc) and negative numbers.
            let isOption = word.hasPrefix("--") || word.count == 2 && word.hasPrefix("-") && word.last?.isLetter == true
            guard isOption else { continue }
            let name = String(word.prefix { $0 != "=" })
            guard let option = known.first(where: { $0.spellings.contains(name) }) else { return name }
            // The next word is the value, even if it begins with a dash.
            if option.kind == .option, !option.canStandAlone, name == word { _ = rest.popFirst() }
        }
        return nil
    }

    /// The message for `-nabc`, where a space is missing; nil for other errors.
    private static func gluedValue(_ arguments: [String], _ said: String) -> String? {
        guard said.contains("Missing value for '-") || said.hasPrefix("Unknown option '-") else { return nil }
        let command = UnknownCommand.named(arguments).command
        guard let signature = try? CommandSignature.of(command.configuration.defaultSubcommand ?? command) else {
            return nil
        }
        for word in arguments where word.count > 2 && !word.hasPrefix("--") && said.contains("'\(word)'") {
            let (name, value) = (String(word.prefix(2)), String(word.dropFirst(2)))
            guard signature.options.contains(where: { $0.kind == .option && $0.spellings.contains(name) }) else {
                continue
            }
            return "there must be a space after \(name): write \(name) \(quoted(value))"
        }
        return nil
    }

    /// The options that correspond to option names of other programs.
    private static let synonyms = [
        "-n": "--limit", "--last": "--limit", "--count": "--limit", "--max": "--limit", "--from": "--since",
        "--after": "--since", "--to": "--until", "--before": "--until",
    ]

    /// The option of the command that an unknown option may mean; nil if none is similar.
    static func meant(by option: String, among known: [String]) -> String? {
        if let other = synonyms[option], known.contains(other) { return other }
        let names = known.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        let name = String(option.drop { $0 == "-" })
        return Suggestion.nearest(to: name, among: names).map { "--\($0)" }
    }
}
