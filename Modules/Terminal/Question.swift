/// Asks on a terminal, before anything is changed.
@MainActor
package struct Question {
    /// The interval for checking for Ctrl-C, in milliseconds.
    private static let patience: Int32 = 100

    package let input: StandardInput
    package let output: Output
    /// Whether to handle Ctrl-C and SIGTERM.
    package let listensForSignals: Bool

    package init(input: StandardInput, output: Output, listensForSignals: Bool) {
        self.input = input
        self.output = output
        self.listensForSignals = listensForSignals
    }

    /// Asks, and returns the typed line; nil at the end of the input.
    ///
    /// - Throws: ``CommandFailure`` at Ctrl-C.
    package func ask(_ text: String) throws -> String? {
        let stop = StopFlag()
        let signals = listensForSignals ? StopSignals { stop.raise() } : nil
        defer { signals?.end() }
        try output.write(text)
        try output.flush()
        // A blocking read would not notice Ctrl-C.
        while !input.isReady(within: Self.patience) {
            guard stop.isRaised else { continue }
            try output.line("")
            throw CommandFailure.interrupted("nothing was changed")
        }
        let answer = try input.readLine()
        // After Ctrl-D the cursor is still on the line of the question.
        if answer == nil { try output.line("") }
        return answer
    }
}

/// Asks for confirmation.
@MainActor
package struct Confirmation {
    package let question: Question
    /// Whether `--yes` was given.
    package let isGiven: Bool

    package init(question: Question, isGiven: Bool) {
        self.question = question
        self.isGiven = isGiven
    }

    /// Returns if the person agrees.
    ///
    /// - Parameter what: The action: "delete the type 'run' with its 12 events".
    /// - Throws: ``CommandFailure`` if the person does not agree, or cannot be asked.
    package func require(_ what: String) throws {
        if isGiven { return }
        guard question.input.isTerminal else {
            throw CommandFailure.usage("this would \(what); add --yes to confirm, as there is no terminal to ask")
        }
        let answer = try question.ask("This will \(what). Continue? [y/N] ")?.lowercased() ?? ""
        guard answer == "y" || answer == "yes" else { throw CommandFailure(.declined, "nothing was changed") }
    }
}
