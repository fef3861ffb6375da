/// Lines for a person: through a pager where they do not fit on the terminal, as they are elsewhere.
///
/// No more than a screenful is kept in memory.
@MainActor
final class PagedOutput {
    private let output: Output
    private let screen: Screen
    private var command: String?
    private let ignoresInterrupts: Bool
    private var held: [String] = []
    private var heldRows = 0
    private var pager: Pager?

    private init(_ context: CommandContext, _ screen: Screen, _ command: String?) {
        output = context.output
        self.screen = screen
        self.command = screen.rows == nil ? nil : command
        ignoresInterrupts = context.process.listensForSignals
    }

    /// Hands an output to a function, and waits afterwards until the person has read what it wrote.
    ///
    /// - Parameter command: The pager; nil for none.
    static func with(
        _ context: CommandContext, _ screen: Screen, pager command: String?, _ body: (PagedOutput) throws -> Void
    ) throws {
        let paged = PagedOutput(context, screen, command)
        do {
            try body(paged)
            try paged.finish()
        } catch {
            // What was written before the error is shown; the error itself comes after it.
            if !(error is OutputClosed) { try? paged.finish() }
            paged.pager?.close()
            throw error
        }
        paged.pager?.close()
    }

    /// Writes a line.
    func line(_ text: String) throws {
        if let pager { return try pager.output.line(text) }
        guard command != nil, let rows = screen.rows else { return try output.line(text) }
        held.append(text)
        heldRows += rowCount(text)
        // The last row is the prompt's.
        if heldRows >= rows { try startPager() }
    }

    private func rowCount(_ text: String) -> Int {
        // Lines with colours were made to fit.
        guard !text.contains("\u{1B}") else { return 1 }
        return max(1, (text.columns + screen.width - 1) / screen.width)
    }

    private func startPager() throws {
        try output.flush()
        pager = command.flatMap { Pager($0, ignoresInterrupts: ignoresInterrupts) }
        command = nil
        try writeHeld(to: pager?.output ?? output)
    }

    private func writeHeld(to output: Output) throws {
        let lines = held
        held = []
        for line in lines { try output.line(line) }
    }

    private func finish() throws {
        let output = pager?.output ?? output
        try writeHeld(to: output)
        try output.flush()
    }
}
