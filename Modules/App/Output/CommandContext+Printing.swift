/// A number of things: `1 event`, `2 events`.
func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

extension CommandContext {
    /// What the command's output shows on.
    var screen: Screen { Screen(output, environment: process.environment, isASCII: false) }

    /// Prints a table, or a remark in its place.
    ///
    /// - Parameter screen: What its lines are cut to fit; nil where what they say is needed whole.
    func print(_ table: TextTable, on screen: Screen? = nil, whenEmpty remark: String) throws {
        if table.isEmpty { return try output.line(remark) }
        let lines = screen.map { table.fitted(to: $0) } ?? table.lines
        for (number, line) in lines.enumerated() {
            try output.line(number == 0 ? style.bold(line) : line)
        }
    }

    /// Writes lines for a person, through a pager where they do not fit on the terminal.
    func show(_ lines: [String], on screen: Screen) throws {
        try PagedOutput.with(self, screen, pager: Pager.command(process.environment)) { output in
            for line in lines { try output.line(line) }
        }
    }

    /// Asks on the terminal.
    var question: Question {
        Question(input: process.input, output: errors, listensForSignals: process.listensForSignals)
    }

    /// Asks before something is deleted, unless `--yes` was given.
    func confirmation(_ isGiven: Bool) -> Confirmation { Confirmation(question: question, isGiven: isGiven) }
}
