#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ends a command: one line for the person, and the exit code.
public struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The exit code.
    public var status: CommandStatus
    /// What happened, to what, and what to do; one line without a full stop.
    public var message: String
    /// Lines below the message that mark the place of the error; usually none.
    package var excerpt: [String] = []

    /// Creates a failure with a status and a message.
    public init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The message.
    public var description: String { message }

    package static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
    package static func data(_ message: String) -> CommandFailure { CommandFailure(.data, message) }
    /// The failure for Ctrl-C, with the work done so far and how to continue.
    package static func interrupted(_ message: String) -> CommandFailure {
        CommandFailure(.interrupted, "interrupted: \(message)")
    }
    package static func signIn(_ message: String) -> CommandFailure { CommandFailure(.signIn, message) }
}

/// Ends a command that has already written its output and errors.
package struct SilentExit: Error {
    package var status: CommandStatus

    package init(status: CommandStatus) {
        self.status = status
    }
}

/// The exit codes: those of sysexits(3), 130 for Ctrl-C as in shells, and 1 if the person does not confirm.
public enum CommandStatus: Int32, Sendable, CaseIterable {
    /// Everything was done.
    case done = 0
    /// The person did not confirm, and nothing was changed.
    case declined = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// Input or stored data is wrong (EX_DATAERR).
    case data = 65
    /// The server cannot be reached or is not a Trendy server, or the port is in use (EX_UNAVAILABLE).
    case unavailable = 69
    /// An internal error (EX_SOFTWARE).
    case software = 70
    /// A file or folder cannot be created or written (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case inputOutput = 74
    /// The server asked to wait, or the store is in use (EX_TEMPFAIL).
    case tryLater = 75
    /// Nobody is signed in, or the account lacks permission (EX_NOPERM).
    case signIn = 77
    /// Ctrl-C or SIGTERM stopped the command: 128 plus the number of SIGINT (POSIX, "Exit Status").
    case interrupted = 130
}

/// Errors of the operating system in words.
package enum SystemError {
    /// The meaning of an `errno` code, with advice if possible.
    package static func reason(_ code: Int32) -> String {
        switch code {
        case ENOSPC: "the disk is full; free some space"
        case EDQUOT: "your disk quota is exceeded; free some space"
        case EROFS: "the disk is read-only; name another folder"
        case EFBIG: "the file is too large for the file system; name another folder"
        case EIO: "the disk failed; check it"
        case ELOOP: "too many symbolic links lead to it; name the file itself"
        case ENAMETOOLONG: "its name is too long; name another file"
        case EMFILE, ENFILE: "too many files are open; try again later"
        case EISDIR: "it is a folder"
        case EBADF: "it is closed"
        default: String(cString: strerror(code)).lowercased()
        }
    }
}
