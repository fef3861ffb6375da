import TrendyTerminal

/// The format in which events are shown.
struct EventShape: Equatable {
    /// A template for the line of an event.
    var format: String?
    /// The columns of a table, separated by commas.
    var columns: String?
    var isCSV = false
    /// Whether no pager is used.
    var skipsPager = false
    /// Whether only ASCII characters are drawn.
    var isASCII = false

    /// Whether the format is the default for people.
    var isUsual: Bool { format == nil && columns == nil && !isCSV }

    /// Refuses formats that cannot be used together.
    func check(isJSON: Bool) throws {
        let given = [("--json", isJSON), ("--csv", isCSV), ("--format", format != nil), ("--columns", columns != nil)]
            .filter(\.1).map(\.0)
        if given.count > 1 {
            throw CommandFailure.usage("\(given.joined(separator: " and ")) cannot be used together; give one of them")
        }
    }

    /// The screen of the command's output.
    @MainActor
    func screen(in context: CommandContext) -> Screen {
        Screen(context.output, environment: context.process.environment, isASCII: isASCII)
    }
}
