/// The commands that people type all day, understood without the parser, which takes longer than all that they do.
///
/// These are command lines without options. The parser understands all others, and says what is wrong with one.
enum PlainCommand {
    /// The command that the words name; nil where the parser is to tell.
    static func of(_ words: [String]) -> (any CommandAction)? {
        guard let first = words.first, words.allSatisfy({ !$0.isEmpty && !$0.hasPrefix("-") }) else { return nil }
        let rest = Array(words.dropFirst())
        switch first {
        case "log": return rest.isEmpty ? nil : LogRequest(rest)
        case "list": return ListCommand(types: rest)
        case "today": return TodayCommand(types: rest)
        case "status": return rest.isEmpty ? StatusCommand(common: .none) : nil
        default: return CommandTree.names.contains(first) ? nil : LogRequest(words)
        }
    }
}

extension LogRequest {
    /// - Parameter words: The type, and what it is told to have.
    fileprivate init(_ words: [String]) {
        self.init(type: words[0], texts: EventTexts(properties: Array(words.dropFirst())))
    }
}

// What the parser would have set: to read what was never set ends the program.

extension ListCommand {
    fileprivate init(types: [String]) {
        self.init()
        self.types = types
        (since, until, search) = (nil, nil, nil)
        limit = nil
        all = false
        shape = .usual
        common = .none
    }
}

extension TodayCommand {
    fileprivate init(types: [String]) {
        self.init()
        days = DayOptions()
        days.types = types
        days.shape = .usual
        common = .none
    }
}

extension StatusCommand {
    fileprivate init(common: CommonOptions) {
        self.init()
        self.common = common
    }
}

extension EventShape {
    fileprivate static var usual: EventShape {
        var shape = EventShape()
        (shape.format, shape.columns) = (nil, nil)
        (shape.csv, shape.noPager) = (false, false)
        shape.screen = ScreenOptions()
        shape.screen.ascii = false
        return shape
    }
}

extension CommonOptions {
    fileprivate static var none: CommonOptions {
        var options = CommonOptions()
        options.json = false
        return options
    }
}
