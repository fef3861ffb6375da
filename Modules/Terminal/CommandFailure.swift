#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Ends a command: one line for the person, and the exit code.
public struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the program ends with.
    public var status: CommandStatus
    /// What happened, to what, and what to do; one line without a full stop.
    public var message: String
    /// What the message is about, with marks below the place: lines that are shown below it; mostly none.
    package var excerpt: [String] = []

    /// Makes a failure that ends the program with this status and says this.
    public init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What the person is told.
    public var description: String { message }

    package static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
    package static func data(_ message: String) -> CommandFailure { CommandFailure(.data, message) }
    /// The person has pressed Ctrl-C; says what was done, and how to go on.
    package static func interrupted(_ message: String) -> CommandFailure {
        CommandFailure(.interrupted, "interrupted: \(message)")
    }
    package static func signIn(_ message: String) -> CommandFailure { CommandFailure(.signIn, message) }
}

/// Ends a command whose output and errors are written already.
package struct SilentExit: Error {
    package var status: CommandStatus

    package init(status: CommandStatus) {
        self.status = status
    }
}

/// The exit codes of a program: from sysexits(3), one from the shell, and 1 for a plain no.
public enum CommandStatus: Int32, Sendable, CaseIterable {
    /// Everything was done.
    case done = 0
    /// The person was asked and said no: nothing was changed.
    case declined = 1
    /// The command line makes no sense (EX_USAGE).
    case usage = 64
    /// What was given, or what is stored, cannot be used (EX_DATAERR).
    case data = 65
    /// The server cannot be reached or is none; the port is taken (EX_UNAVAILABLE).
    case unavailable = 69
    /// Something that should not happen (EX_SOFTWARE).
    case software = 70
    /// A file or folder cannot be made or written (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed midway (EX_IOERR).
    case inputOutput = 74
    /// Try later: the server asked for a pause, or another process holds the store (EX_TEMPFAIL).
    case tryLater = 75
    /// Nobody has signed in, or may not do this (EX_NOPERM).
    case signIn = 77
    /// Ended in order by Ctrl-C or SIGTERM: 128 and the number of SIGINT, as shells count (POSIX, "Exit Status").
    case interrupted = 130
}

/// Errors of the operating system in words.
package enum SystemError {
    /// What the code means, and what to do where that can be said.
    package static func reason(_ code: Int32) -> String {
        switch code {
        case ENOSPC: "the disk is full; make room"
        case EDQUOT: "your share of the disk is used up; make room"
        case EROFS: "the disk is read-only; name another folder"
        case EFBIG: "the file system takes no file as large as this; name another folder"
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
