import ArgumentParser
import TrendyNotation
import TrendyTerminal

/// Answers `trendy help …` and `trendy --help`.
enum HelpText {
    /// The answer to the arguments; nil if they do not ask for help, or if the parser answers.
    ///
    /// - Throws: ``CommandFailure`` if there is no such command or topic.
    static func answer(_ arguments: [String]) throws(CommandFailure) -> String? {
        let words = arguments.filter { !["-h", "--help"].contains($0) }
        if words.isEmpty || words == ["help"] { return overview }
        guard words[0] == "help" else { return nil }
        let name = Array(words.dropFirst())
        if let topic = HelpTopic(name) {
            // 'sync' is both a topic and a command.
            let options =
                command(name) == nil
                ? "" : "\n\nOptions of the command: 'trendy \(name.joined(separator: " ")) --help'."
            return "\(topic.title)\n\n\(topic.text)\(options)"
        }
        guard let command = command(name) else { throw unknown(name) }
        return try page(command, ["trendy"] + name)
    }

    /// The help page of the command that the arguments name, in place of the parser's own help.
    ///
    /// - Parameter text: What the parser wrote. It is returned unchanged unless it is the help of the command.
    static func page(_ arguments: [String], inPlaceOf text: String) throws(CommandFailure) -> String {
        let path = UnknownCommand.path(arguments)
        guard let command = command(Array(path.dropFirst())) else { return text }
        // Without a subcommand, the group's default subcommand is meant.
        let usual = command.configuration.defaultSubcommand.map { [($0, path + [CommandTree.name(of: $0)])] } ?? []
        for (command, path) in [(command, path)] + usual where text == TrendyCommand.helpMessage(for: command) {
            return try page(command, path)
        }
        return text
    }

    private static func page(
        _ command: any ParsableCommand.Type, _ path: [String]
    ) throws(CommandFailure) -> String {
        do { return try HelpPage(command, path: path).lines.joined(separator: "\n") } catch {
            throw CommandFailure(.software, "the help cannot be read: \(error)")
        }
    }

    /// The commands in groups and the topics, on one screen.
    static var overview: String {
        let configuration = TrendyCommand.configuration
        let groups = configuration.groupedSubcommands.map { group in
            (group.name, group.subcommands.filter { $0.configuration.shouldDisplay }.map(CommandTree.name))
        }
        let rows = groups + [("Topics", HelpTopic.allCases.map(\.rawValue))]
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        let indent = String(repeating: " ", count: width + 2)
        let lines = rows.map { name, words in
            let texts = TextWrap.lines(words.joined(separator: " "), columns: HelpPage.columns - width - 2)
            return "  " + name + indent.dropFirst(name.count + 2) + texts.joined(separator: "\n" + indent)
        }
        return """
            \(configuration.abstract)

            \(configuration.discussion)

            \(lines.dropLast().joined(separator: "\n"))

            \(lines.last ?? "")

            Details: 'trendy help COMMAND', 'trendy help TOPIC', 'man trendy'.
            """
    }

    private static func command(_ words: [String]) -> (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = TrendyCommand.self
        for word in words {
            let known = UnknownCommand.subcommands(of: command)
            guard let next = known.first(where: { CommandTree.name(of: $0) == word }) else { return nil }
            command = next
        }
        return command
    }

    private static func unknown(_ words: [String]) -> CommandFailure {
        // The longest known prefix stays; only the rest is corrected.
        let known = words.indices.last { command(Array(words[..<$0])) != nil } ?? 0
        let parent = words[..<known].joined(separator: " ")
        let below = command(Array(words[..<known])).map(CommandTree.subcommands) ?? []
        let names = below.map { known == 0 ? CommandTree.name(of: $0) : "\(parent) \(CommandTree.name(of: $0))" }
        let text = words.joined(separator: " ")
        let topics = known == 0 ? HelpTopic.allCases.map(\.rawValue) : []
        let near = Suggestion.nearest(to: text, among: names + topics)
        let hint = near.map { "did you mean 'trendy help \($0)'?" } ?? "see 'trendy help'"
        return .usage("there is no command or topic '\(text)'; \(hint)")
    }
}
