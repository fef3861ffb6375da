import ArgumentParser

/// Finds completions for the end of a command line.
@MainActor
struct CommandLineCompleter {
    let values: ValueCompleter

    /// - Parameters:
    ///   - words: The complete words after `trendy`.
    ///   - current: The word at the cursor.
    func completion(after words: [String], current: String) throws -> Completion {
        var rest = words[...]
        var command: any ParsableCommand.Type = TrendyCommand.self
        var path: [String] = []
        while let word = rest.first, !CommandTree.subcommands(of: command).isEmpty {
            if let next = CommandTree.subcommands(of: command).first(where: { CommandTree.name(of: $0) == word }) {
                command = next
                path.append(word)
                rest.removeFirst()
            } else if path.isEmpty, word == "help" {
                return help(Array(rest.dropFirst())).matching(current)
            } else if path.isEmpty, !word.hasPrefix("-") {
                // 'trendy coffee' is short for 'trendy log coffee'.
                command = LogCommand.self
                path = ["log"]
            } else {
                return Completion()
            }
        }
        if CommandTree.subcommands(of: command).isEmpty {
            return try leaf(CommandSignature.of(command), path, Array(rest), current)
        }
        return group(command, current)
    }

    private func group(_ command: any ParsableCommand.Type, _ current: String) -> Completion {
        if current.hasPrefix("-") {
            let isRoot = command == TrendyCommand.self
            return Completion(words: isRoot ? ["--help", "--version"] : ["--help"]).matching(current)
        }
        var found = Self.candidates(CommandTree.subcommands(of: command))
        if command == TrendyCommand.self {
            found.append(.init(text: "help", about: "Show the help of a command or a topic."))
            let commands = Completion(found).matching(current)
            // Commands are offered even if the store cannot be read.
            let types = (try? values.types())?.matching(current) ?? Completion()
            return Completion(commands.candidates + types.candidates)
        }
        return Completion(found).matching(current)
    }

    private func help(_ words: [String]) -> Completion {
        var command: any ParsableCommand.Type = TrendyCommand.self
        for word in words {
            let found = CommandTree.subcommands(of: command).first { CommandTree.name(of: $0) == word }
            guard let found else { return Completion() }
            command = found
        }
        let topics =
            words.isEmpty ? HelpTopic.allCases.map { Completion.Candidate(text: $0.rawValue, about: $0.title) } : []
        return Completion(Self.candidates(CommandTree.subcommands(of: command)) + topics)
    }

    private static func candidates(_ commands: [any ParsableCommand.Type]) -> [Completion.Candidate] {
        commands.map { .init(text: CommandTree.name(of: $0), about: $0.configuration.abstract) }
    }

    // MARK: Arguments

    private func leaf(
        _ signature: CommandSignature, _ path: [String], _ words: [String], _ current: String
    ) throws -> Completion {
        var written = PrecedingArguments(command: path)
        var waiting: CommandSignature.Argument?
        var isAfterTerminator = false
        for word in words {
            if let option = waiting {
                written.options[option.spellings[0], default: []].append(word)
                waiting = nil
            } else if word == "--" && !isAfterTerminator {
                isAfterTerminator = true
            } else if word.hasPrefix("-"), !isAfterTerminator, let (option, value) = Self.option(word, in: signature) {
                if option.kind == .option, value == nil { waiting = option }
                written.options[option.spellings[0], default: []].append(value ?? "")
            } else {
                written.positionals.append(word)
            }
        }
        if let waiting {
            return try values.completion(of: waiting, current: current, given: written).matching(current)
        }
        if current.hasPrefix("--"), !isAfterTerminator, let equals = current.firstIndex(of: "="),
            let option = signature.option(String(current[..<equals]))
        {
            let value = String(current[current.index(after: equals)...])
            let found = try values.completion(of: option, current: value, given: written)
            return found.prefixed(String(current[...equals])).matching(current)
        }
        if current.hasPrefix("-"), !isAfterTerminator {
            return Self.options(signature, given: written).matching(current)
        }
        let positionals = signature.positionals
        guard let last = positionals.last else { return Completion() }
        let number = written.positionals.count
        guard number < positionals.count || last.isRepeating else { return Completion() }
        let argument = number < positionals.count ? positionals[number] : last
        return try values.completion(of: argument, current: current, given: written).matching(current)
    }

    private static func option(
        _ word: String, in signature: CommandSignature
    ) -> (option: CommandSignature.Argument, value: String?)? {
        if let option = signature.option(word) { return (option, nil) }
        guard let equals = word.firstIndex(of: "="), let option = signature.option(String(word[..<equals])) else {
            return nil
        }
        return (option, String(word[word.index(after: equals)...]))
    }

    private static func options(_ signature: CommandSignature, given: PrecedingArguments) -> Completion {
        let free = signature.options.filter { $0.isRepeating || given.options[$0.spellings[0]] == nil }
        return Completion(
            free.flatMap { option in
                option.spellings.filter { $0.hasPrefix("--") }.map { .init(text: $0, about: option.abstract ?? "") }
            })
    }
}

/// The command, options and arguments before the word at the cursor.
struct PrecedingArguments {
    /// The words of the command: `prop`, `edit`.
    let command: [String]
    var positionals: [String] = []
    /// The values of the options, by their long names; empty texts for flags.
    var options: [String: [String]] = [:]
}
