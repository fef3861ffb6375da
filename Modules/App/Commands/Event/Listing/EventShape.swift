import TrendyTerminal

/// The shape in which events are shown.
struct EventShape: Equatable {
    /// A template for the line of an event.
    var format: String?
    /// The columns of a table, with commas between them.
    var columns: String?
    var isCSV = false
    /// Whether everything is written at once, also where it does not fit on the screen.
    var skipsPager = false
    /// Whether plain ASCII has to do.
    var isASCII = false

    /// Whether no other shape was asked for than that for people.
    var isUsual: Bool { format == nil && columns == nil && !isCSV }

    /// Refuses shapes that exclude each other.
    func check(isJSON: Bool) throws {
        let given = [("--json", isJSON), ("--csv", isCSV), ("--format", format != nil), ("--columns", columns != nil)]
            .filter(\.1).map(\.0)
        if given.count > 1 {
            throw CommandFailure.usage("\(given.joined(separator: " and ")) exclude each other; give one of them")
        }
    }

    /// What the command's output shows on.
    @MainActor
    func screen(in context: CommandContext) -> Screen {
        Screen(context.output, environment: context.process.environment, isASCII: isASCII)
    }
}
