/// The exit codes of `trendy`: from sysexits(3), one from the shell, and 1 for a plain no.
public enum CommandStatus: Int32, Sendable, CaseIterable {
    /// Everything was done.
    case done = 0
    /// The person was asked and said no: nothing was changed.
    case declined = 1
    /// The command line makes no sense (EX_USAGE).
    case usage = 64
    /// What was given, or what is stored, cannot be used; or mutations are parked (EX_DATAERR).
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
    /// Sign in first (EX_NOPERM).
    case signIn = 77
    /// Ended in order by Ctrl-C or SIGTERM: 128 and the number of SIGINT, as shells count (POSIX, "Exit Status").
    case interrupted = 130

    /// What the code says, for a person.
    var meaning: String {
        switch self {
        case .done: "done"
        case .declined: "you were asked and said no; nothing was changed"
        case .usage: "the command was used wrongly"
        case .data: "the data is bad, or changes were refused and wait for you"
        case .unavailable: "the server cannot be reached, or is none"
        case .software: "something inside is wrong"
        case .cannotCreate: "a file or folder cannot be made or written"
        case .inputOutput: "reading or writing failed midway"
        case .tryLater: "the server asked for a pause, or the store is in use"
        case .signIn: "nobody is signed in, or the sign-in was refused"
        case .interrupted: "Ctrl-C ended it; what was done until then is kept"
        }
    }
}
