import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks for a password without echo.
@MainActor
package struct PasswordPrompt {
    /// The interval for checking whether the terminal echoes again, in milliseconds.
    private static let patience: Int32 = 50

    package let input: StandardInput
    package let output: Output

    package init(input: StandardInput, output: Output) {
        self.input = input
        self.output = output
    }

    /// Reads the password. The echo is off meanwhile, and is restored even if the program is interrupted.
    package func ask(_ question: String) throws -> String {
        // The echo is turned off before the question, as people may type at once.
        let answer: String? = try withoutEcho { hidesAgain in
            try show(question)
            // After Ctrl-Z the shell turns the echo on again.
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

    /// - Parameter body: Gets a function that turns the echo off again, and returns whether it was on.
    private func withoutEcho<Result>(_ body: (() -> Bool) throws -> Result) throws -> Result {
        let descriptor = input.descriptor
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return try body { false } }
        let original = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // After a signal has restored the settings, they must not be changed again.
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

    /// Whether the terminal echoes, and this process is in the foreground.
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
