#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that shows a long text a screen at a time.
@MainActor
package final class Pager {
    /// What the pager reads.
    package let output: Output
    private let wait: () -> Void

    /// Starts a pager; nil where that is not possible.
    ///
    /// - Parameters:
    ///   - command: As a shell reads it.
    ///   - ignoresInterrupts: Whether Ctrl-C is the pager's alone while it runs: ending this process would give the
    ///     terminal to the shell while the pager still uses it.
    package init?(_ command: String, ignoresInterrupts: Bool) {
        guard let stream = popen(command, "w") else { return nil }
        output = Output(descriptor: fileno(stream), name: "the pager")
        if ignoresInterrupts { _ = signal(SIGINT, SIG_IGN) }
        wait = {
            pclose(stream)
            if ignoresInterrupts { _ = signal(SIGINT, SIG_DFL) }
        }
    }

    /// Lets the pager know that this was all, and waits until the person has read it.
    package func close() { wait() }

    /// The pager that the environment asks for: `PAGER`, else `less` where there is one.
    ///
    /// An empty `PAGER` asks for none.
    package static func command(_ environment: [String: String]) -> String? {
        let wanted = environment["PAGER"]
        // -F: leave at once what fits; -R: show colours; -X: leave the text on the screen.
        let command = wanted ?? "less -FRX"
        guard let program = command.split(whereSeparator: \.isWhitespace).first else { return nil }
        // What is more than a word is the shell's to understand.
        if wanted != nil, program.contains(where: { "'\"\\$=();&|<>`".contains($0) }) {
            return showingColors(command, nil, environment)
        }
        guard isPresent(String(program), environment) else { return nil }
        return wanted == nil ? command : showingColors(command, program, environment)
    }

    /// The command of the person's own pager, told to show colours where it is `less`, which asks for that.
    ///
    /// - Parameter program: The first word; nil where only the shell knows it.
    private static func showingColors(
        _ command: String, _ program: Substring?, _ environment: [String: String]
    ) -> String {
        // As git has it: the options of 'less' where nobody has set any, also where a script starts it.
        if environment["LESS"] == nil { return "LESS=FRX; export LESS; \(command)" }
        guard let program, program.split(separator: "/").last == "less" else { return command }
        return "\(program) -R\(command[program.endIndex...])"
    }

    private static func isPresent(_ program: String, _ environment: [String: String]) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}

/// Lines for a person: through a pager where they do not fit on the terminal, as they are elsewhere.
///
/// No more than a screenful is kept in memory.
@MainActor
package final class PagedOutput {
    private let output: Output
    private let screen: Screen
    private var command: String?
    private let ignoresInterrupts: Bool
    private var held: [String] = []
    private var heldRows = 0
    private var pager: Pager?

    private init(_ output: Output, _ screen: Screen, _ command: String?, _ ignoresInterrupts: Bool) {
        self.output = output
        self.screen = screen
        self.command = screen.rows == nil ? nil : command
        self.ignoresInterrupts = ignoresInterrupts
    }

    /// Hands an output to a function, and waits afterwards until the person has read what it wrote.
    ///
    /// - Parameters:
    ///   - command: The pager; nil for none.
    ///   - ignoresInterrupts: Whether Ctrl-C is the pager's alone while it runs.
    package static func with(
        _ output: Output, _ screen: Screen, pager command: String?, ignoresInterrupts: Bool,
        _ body: (PagedOutput) throws -> Void
    ) throws {
        let paged = PagedOutput(output, screen, command, ignoresInterrupts)
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
    package func line(_ text: String) throws {
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
