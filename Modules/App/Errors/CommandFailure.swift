/// Ends a command: one line for the person, and the exit code.
public struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the program ends with.
    public var status: CommandStatus
    /// What happened, to what, and what to do; one line without a full stop.
    public var message: String
    /// What the message is about, with marks below the place: lines that are shown below it; mostly none.
    var excerpt: [String] = []

    /// Makes a failure that ends the program with this status and says this.
    public init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What the person is told.
    public var description: String { message }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
    static func data(_ message: String) -> CommandFailure { CommandFailure(.data, message) }
    /// The person has pressed Ctrl-C; says what was done, and how to go on.
    static func interrupted(_ message: String) -> CommandFailure {
        CommandFailure(.interrupted, "interrupted: \(message)")
    }
    static func signIn(_ message: String) -> CommandFailure { CommandFailure(.signIn, message) }
}

/// Ends a command whose output and errors are written already.
struct SilentExit: Error {
    var status: CommandStatus
}
