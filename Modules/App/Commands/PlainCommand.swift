import TrendyNotation

/// A fast path for frequent command lines: the argument parser takes longer than the commands themselves.
///
/// It handles only the most common options. The parser handles everything else, and reports all errors.
enum PlainCommand {
    /// The command that the words name; nil to leave the words to the parser.
    static func of(_ words: [String]) -> (any CommandAction)? {
        guard let first = words.first, isPlain(first) else { return nil }
        let rest = words.dropFirst()
        switch first {
        case "log": return log(rest)
        case "list": return plainWords(rest).map { ListingRequest(query: QueryInput(words: $0)) }
        case "today": return plainWords(rest).map { DayRequest(span: .today, query: QueryInput(words: $0)) }
        case "status": return rest.isEmpty ? StatusRequest() : nil
        case "sync" where rest.isEmpty: return PlainSync()
        case "sync" where words == PlainSync.backgroundArguments:
            return PlainSync(lock: ProgramLauncher.handedDescriptor)
        case "sync" where words == PlainSync.newsArguments:
            return PlainSync(lock: ProgramLauncher.handedDescriptor, wantsNews: true)
        default: return CommandTree.names.contains(first) ? nil : log(words[...])
        }
    }

    private static func isPlain(_ word: String) -> Bool { !word.isEmpty && !word.hasPrefix("-") }

    private static func plainWords(_ words: ArraySlice<String>) -> [String]? {
        words.allSatisfy(isPlain) ? Array(words) : nil
    }

    /// The request of the words after `trendy log`; nil to leave the words to the parser.
    static func log(_ words: ArraySlice<String>) -> LogRequest? {
        var texts = EventInput()
        var plain: [String] = []
        var rest = words
        while let word = rest.popFirst() {
            if isPlain(word) {
                plain.append(word)
            } else {
                guard let option = CommonOption(word, &rest), option.put(into: &texts) else { return nil }
            }
        }
        guard let type = plain.first else { return nil }
        texts.words += plain.dropFirst()
        return LogRequest(type: type, texts: texts)
    }
}

/// An option with its value: `--at 9:15`, `--at=9:15`, `-n 'with milk'`.
private struct CommonOption {
    let name: String
    let value: String

    /// Takes the value from the word itself or from the next word; nil to leave the words to the parser.
    init?(_ word: String, _ rest: inout ArraySlice<String>) {
        if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
            name = String(word[..<equals])
            value = String(word[word.index(after: equals)...])
        } else {
            guard let next = rest.popFirst() else { return nil }
            name = word
            value = next
        }
        // A value may begin with '-' only if it is a time like -90m.
        let isNegative = value.hasPrefix("-") && value.dropFirst().first?.isNumber == true
        guard !value.isEmpty, !value.hasPrefix("-") || isNegative else { return nil }
    }

    /// Sets a field; false for another option, and for one that is given twice.
    func put(into texts: inout EventInput) -> Bool {
        switch name {
        case "--note", "-n": return Self.set(&texts.note, value)
        case "--at": return Self.set(&texts.at, value)
        case "--until": return Self.set(&texts.until, value)
        case "--for": return Self.set(&texts.length, value)
        case "--prop", "-p":
            texts.properties.append(value)
            return true
        default: return false
        }
    }

    private static func set(_ text: inout String?, _ value: String) -> Bool {
        guard text == nil else { return false }
        text = value
        return true
    }
}

/// `trendy coffee` is short for `trendy log coffee` if no command has that name.
enum ShortForm {
    /// The arguments with `log` in front, if they are the short form.
    static func expanded(_ arguments: [String]) -> [String] {
        // The parser's own completion scripts would let the shell expand the names of types.
        if arguments.first == "--generate-completion-script" { return ["completion"] + arguments.dropFirst() }
        guard let first = arguments.first, !first.isEmpty, !first.hasPrefix("-"), !CommandTree.names.contains(first)
        else { return arguments }
        return ["log"] + arguments
    }

    /// The arguments with `--json` moved behind the command: `trendy --json list`.
    static func withCommandFirst(_ arguments: [String]) -> [String] {
        guard arguments.first == jsonOption, let word = arguments.dropFirst().first, !word.hasPrefix("-") else {
            return arguments
        }
        var words = Array(arguments.dropFirst())
        words.insert(jsonOption, at: max(1, UnknownCommand.path(words).count - 1))
        return words
    }

    private static let jsonOption = "--json"
}
