/// Ends a command: one line for the person, and the exit code.
public struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public var status: CommandStatus
    /// What happened, to what, and what to do; one line without a full stop.
    public var message: String

    public init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    public var description: String { message }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
    static func data(_ message: String) -> CommandFailure { CommandFailure(.data, message) }
    static func signIn(_ message: String) -> CommandFailure { CommandFailure(.signIn, message) }
}

/// Ends a command whose output and errors are written already.
struct SilentExit: Error {
    var status: CommandStatus
}
