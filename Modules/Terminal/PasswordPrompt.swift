import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks for a password without showing it.
@MainActor
package struct PasswordPrompt {
    /// Between two looks whether the terminal echoes again, in milliseconds.
    private static let patience: Int32 = 50

    package let input: StandardInput
    package let output: Output

    package init(input: StandardInput, output: Output) {
        self.input = input
        self.output = output
    }

    /// The password that the person types.
    ///
    /// While it is typed the terminal does not echo; it does again afterwards, also where the program is
    /// interrupted meanwhile.
    package func ask(_ question: String) throws -> String {
        // Who sees the question may type at once.
        let answer: String? = try withoutEcho { hidesAgain in
            try show(question)
            // Whoever stops the program (Ctrl-Z) gives the terminal to a shell, which makes it echo.
            while !input.isReady(within: Self.patience) {
                if hidesAgain() { try show(question) }
            }
            return try input.readLine()
        }
        try output.line("")
        try output.flush()
        guard let answer else { throw CommandFailure.usage("no password was given") }
        return answer
    }

    private func show(_ question: String) throws {
        try output.write(question)
        try output.flush()
    }

    /// - Parameter body: Is told whether the terminal echoed again; it does not any more then.
    private func withoutEcho<Result>(_ body: (() -> Bool) throws -> Result) throws -> Result {
        let descriptor = input.descriptor
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return try body { false } }
        let original = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // The terminal stays as it was given back.
        let isOver = Mutex(false)
        let signals = SignalRelay.listen(to: [SIGINT, SIGTERM, SIGHUP]) { number, listening in
            isOver.withLock { isOver in
                isOver = true
                Self.apply(original, to: descriptor)
            }
            listening.release(number)
            kill(getpid(), number)
        }
        defer {
            Self.apply(original, to: descriptor)
            signals?.end()
        }
        let hidden = settings
        isOver.withLock { isOver in
            if !isOver { Self.apply(hidden, to: descriptor) }
        }
        return try body {
            isOver.withLock { isOver in
                guard !isOver, Self.echoes(descriptor) else { return false }
                Self.apply(hidden, to: descriptor)
                return true
            }
        }
    }

    /// Whether a terminal shows what is typed, which is typed for this program.
    private nonisolated static func echoes(_ descriptor: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0, settings.c_lflag & tcflag_t(ECHO) != 0 else { return false }
        let foreground = tcgetpgrp(descriptor)
        return foreground < 0 || foreground == getpgrp()
    }

    private nonisolated static func apply(_ settings: termios, to descriptor: Int32) {
        var settings = settings
        tcsetattr(descriptor, TCSAFLUSH, &settings)
    }
}
