/// Asks on a terminal, before anything is changed.
@MainActor
package struct Question {
    /// Between two looks whether Ctrl-C was pressed, in milliseconds.
    private static let patience: Int32 = 100

    package let input: StandardInput
    package let output: Output
    /// Whether Ctrl-C and SIGTERM may be listened for.
    package let listensForSignals: Bool

    package init(input: StandardInput, output: Output, listensForSignals: Bool) {
        self.input = input
        self.output = output
        self.listensForSignals = listensForSignals
    }

    /// The line that the person types behind a text; nil at the end of the input.
    ///
    /// - Throws: ``CommandFailure`` at Ctrl-C, which says that nothing was changed.
    package func ask(_ text: String) throws -> String? {
        let stop = StopFlag()
        let signals = listensForSignals ? StopSignals { stop.raise() } : nil
        defer { signals?.end() }
        try output.write(text)
        try output.flush()
        // A read that waits itself would not hear of Ctrl-C.
        while !input.isReady(within: Self.patience) {
            guard stop.isRaised else { continue }
            try output.line("")
            throw CommandFailure.interrupted("nothing was changed")
        }
        let answer = try input.readLine()
        // At Ctrl-D the terminal is still on the line of the question.
        if answer == nil { try output.line("") }
        return answer
    }
}

/// Asks before something is done that cannot be taken back.
@MainActor
package struct Confirmation {
    package let question: Question
    /// True where `--yes` was given.
    package let isGiven: Bool

    package init(question: Question, isGiven: Bool) {
        self.question = question
        self.isGiven = isGiven
    }

    /// Returns where the person agrees.
    ///
    /// - Parameter what: What will happen: "delete the type 'run' with its 12 events".
    /// - Throws: ``CommandFailure`` where he does not, or cannot be asked.
    package func require(_ what: String) throws {
        if isGiven { return }
        guard question.input.isTerminal else {
            throw CommandFailure.usage("this would \(what); there is no terminal to ask, so add --yes to do it")
        }
        let answer = try question.ask("This will \(what). Go on? [y/N] ")?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else { throw CommandFailure(.declined, "nothing was changed") }
    }
}
