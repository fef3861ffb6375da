#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that shows a long text a screen at a time.
@MainActor
final class Pager {
    /// What the pager reads.
    let output: Output
    private let wait: () -> Void

    /// Starts a pager; nil where that is not possible.
    ///
    /// - Parameters:
    ///   - command: As a shell reads it.
    ///   - ignoresInterrupts: Whether Ctrl-C is the pager's alone while it runs: ending this process would give the
    ///     terminal to the shell while the pager still uses it.
    init?(_ command: String, ignoresInterrupts: Bool) {
        guard let stream = popen(command, "w") else { return nil }
        output = Output(descriptor: fileno(stream), name: "the pager")
        if ignoresInterrupts { _ = signal(SIGINT, SIG_IGN) }
        wait = {
            pclose(stream)
            if ignoresInterrupts { _ = signal(SIGINT, SIG_DFL) }
        }
    }

    /// Lets the pager know that this was all, and waits until the person has read it.
    func close() { wait() }

    /// The pager that the environment asks for: `PAGER`, else `less` where there is one.
    ///
    /// An empty `PAGER` asks for none.
    static func command(_ environment: [String: String]) -> String? {
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
