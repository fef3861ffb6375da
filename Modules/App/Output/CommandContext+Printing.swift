import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

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
        try PagedOutput.with(
            output, screen, pager: Pager.command(process.environment), ignoresInterrupts: process.listensForSignals
        ) { output in
            for line in lines { try output.line(line) }
        }
    }

    /// Lets Ctrl-C and SIGTERM end a piece of work in order.
    var interruption: Interruption { Interruption(listensForSignals: process.listensForSignals) }

    /// Shows how far a piece of work has come, for people only.
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
    /// Says, where there is nothing to show, that nothing of what the account has was fetched to this device yet.
    func remarkBeforeFirstSync() throws {
        // Whatever is wrong with the sign-in is no trouble of who only looks.
        guard let signIn = try? ServerSession.load(root.configuration), signIn.current != nil,
            try !root.engine.position().hasReceivedAll
        else { return }
        let server = signIn.server.map { " from \($0)" } ?? ""
        try output.flush()
        try remark("nothing was fetched\(server) yet; run 'trendy sync'")
    }
}
