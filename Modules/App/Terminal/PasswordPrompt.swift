import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks for a password without showing it.
@MainActor
struct PasswordPrompt {
    let input: StandardInput
    let output: Output

    /// The password that the person types.
    ///
    /// While it is typed the terminal does not echo; it does again afterwards, also where the program is
    /// interrupted meanwhile.
    func ask(_ question: String) throws -> String {
        // Who sees the question may type at once.
        let answer = try withoutEcho {
            try output.write(question)
            try output.flush()
            return try input.readLine()
        }
        try output.line("")
        try output.flush()
        guard let answer else { throw CommandFailure.usage("no password was given") }
        return answer
    }

    private func withoutEcho<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = input.descriptor
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return try body() }
        let original = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        let guards = [SIGINT, SIGTERM, SIGHUP].map { Self.restore(original, on: descriptor, at: $0) }
        defer {
            Self.apply(original, to: descriptor)
            for (number, source) in guards {
                source.cancel()
                _ = signal(number, SIG_DFL)
            }
        }
        Self.apply(settings, to: descriptor)
        return try body()
    }

    private nonisolated static func apply(_ settings: termios, to descriptor: Int32) {
        var settings = settings
        tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// Gives the terminal back and ends the program when a signal comes.
    private nonisolated static func restore(
        _ settings: termios, on descriptor: Int32, at number: Int32
    ) -> (Int32, any DispatchSourceSignal) {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            apply(settings, to: descriptor)
            _ = signal(number, SIG_DFL)
            kill(getpid(), number)
        }
        source.resume()
        return (number, source)
    }
}
