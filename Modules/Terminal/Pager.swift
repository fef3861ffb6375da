#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that shows long text screen by screen.
@MainActor
package final class Pager {
    /// The input of the pager.
    package let output: Output
    private let wait: () -> Void

    /// Starts a pager; nil if that fails.
    ///
    /// - Parameters:
    ///   - command: The shell command.
    ///   - ignoresInterrupts: Whether this process ignores Ctrl-C while the pager runs. Otherwise the shell would get the
    ///     terminal while the pager still uses it.
    package init?(_ command: String, ignoresInterrupts: Bool) {
        guard let stream = popen(command, "w") else { return nil }
        output = Output(descriptor: fileno(stream), name: "the pager")
        if ignoresInterrupts { _ = signal(SIGINT, SIG_IGN) }
        wait = {
            pclose(stream)
            if ignoresInterrupts { _ = signal(SIGINT, SIG_DFL) }
        }
    }

    /// Closes the input of the pager, and waits for its end.
    package func close() { wait() }

    /// The pager: `PAGER`, or `less` if it is installed. An empty `PAGER` means none.
    package static func command(_ environment: [String: String]) -> String? {
        let wanted = environment["PAGER"]
        // -F: exit if the text fits; -R: show colours; -X: leave the text on the screen.
        let command = wanted ?? "less -FRX"
        guard let program = command.split(whereSeparator: \.isWhitespace).first else { return nil }
        // Only the shell understands a command of several words.
        if wanted != nil, program.contains(where: { "'\"\\$=();&|<>`".contains($0) }) {
            return showingColors(command, nil, environment)
        }
        guard isPresent(String(program), environment) else { return nil }
        return wanted == nil ? command : showingColors(command, program, environment)
    }

    /// The command of the person's pager; `less` gets the option for colours.
    ///
    /// - Parameter program: The first word; nil if only the shell knows it.
    private static func showingColors(
        _ command: String, _ program: Substring?, _ environment: [String: String]
    ) -> String {
        // Like git: sets LESS only if it is not set, so that it also works if a script starts 'less'.
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

/// An output that uses a pager if the lines do not fit on the terminal. It keeps at most a screen of lines in memory.
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

    /// Passes an output to a function, and waits for the end of the pager.
    ///
    /// - Parameters:
    ///   - command: The pager; nil for none.
    ///   - ignoresInterrupts: Whether this process ignores Ctrl-C while the pager runs.
    package static func with(
        _ output: Output, _ screen: Screen, pager command: String?, ignoresInterrupts: Bool,
        _ body: (PagedOutput) throws -> Void
    ) throws {
        let paged = PagedOutput(output, screen, command, ignoresInterrupts)
        do {
            try body(paged)
            try paged.finish()
        } catch {
            // Output from before the error is shown first.
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
        // The last row is for the prompt.
        if heldRows >= rows { try startPager() }
    }

    private func rowCount(_ text: String) -> Int {
        // Lines with colours were already cut to fit.
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
