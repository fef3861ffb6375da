import TrendyData
import TrendyDomain
import TrendyReport
import TrendySync
import TrendyTerminal

extension CommandContext {
    /// The screen of the command's output.
    var screen: Screen { Screen(output, environment: process.environment, isASCII: false) }

    /// Prints a table, or a remark if it is empty.
    ///
    /// - Parameter screen: The screen to which lines are cut; nil to print them in full.
    func print(_ table: TextTable, on screen: Screen? = nil, whenEmpty remark: String) throws {
        if table.isEmpty { return try output.line(remark) }
        let lines = screen.map { table.fitted(to: $0) } ?? table.lines
        for (number, line) in lines.enumerated() {
            try output.line(number == 0 ? style.bold(line) : line)
        }
    }

    /// Writes lines, with a pager if they do not fit on the terminal.
    func show(_ lines: [String], on screen: Screen) throws {
        try PagedOutput.with(
            output, screen, pager: Pager.command(process.environment), ignoresInterrupts: process.listensForSignals
        ) { output in
            for line in lines { try output.line(line) }
        }
    }

    /// Writes the lines of a report, or in their place the answer that there are no events.
    func show(_ lines: @autoclosure () -> [String], or empty: EmptyPeriod?, on screen: Screen) throws {
        guard let empty else { return try show(lines(), on: screen) }
        try show(TextWrap.lines(empty.text(), columns: screen.width), on: screen)
        try remarkBeforeFirstSync()
    }

    /// Lets Ctrl-C and SIGTERM stop work cleanly.
    var interruption: Interruption { Interruption(listensForSignals: process.listensForSignals) }

    /// Shows the progress of work, for people only.
    func progress(_ doing: String, unit: String, total: Int? = nil) -> Progress {
        Progress(
            doing, unit: unit, total: total, on: errors, process.environment, process.clock, isWanted: !wantsJSON)
    }

    /// Asks on the terminal.
    var question: Question {
        Question(input: process.input, output: errors, listensForSignals: process.listensForSignals)
    }

    /// Asks before something is deleted, unless `--yes` was given.
    func confirmation(_ isGiven: Bool) -> Confirmation { Confirmation(question: question, isGiven: isGiven) }
}

extension CommandContext {
    /// Remarks that nothing was fetched yet, if that explains an empty output.
    func remarkBeforeFirstSync() throws {
        // A command that only reads must not fail because of the sign-in.
        guard let signIn = try? ServerSession.load(root.configuration), signIn.current != nil,
            try !root.engine.position().hasReceivedAll
        else { return }
        let server = signIn.server.map { " from \($0)" } ?? ""
        try output.flush()
        try remark("no records were fetched\(server) yet; run 'trendy sync'")
    }
}
