/// Asks on a terminal, before anything is changed.
@MainActor
struct Question {
    /// Between two looks whether Ctrl-C was pressed, in milliseconds.
    private static let patience: Int32 = 100

    let input: StandardInput
    let output: Output
    /// Whether Ctrl-C and SIGTERM may be listened for.
    let listensForSignals: Bool

    /// The line that the person types behind a text; nil at the end of the input.
    ///
    /// - Throws: ``CommandFailure`` at Ctrl-C, which says that nothing was changed.
    func ask(_ text: String) throws -> String? {
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
