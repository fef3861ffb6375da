import Foundation
import GRDB
import TrendyDomain

/// Why a server cannot start.
public enum ServerStartError: Error, Sendable, Hashable {
    /// Another program listens at that address and port.
    case addressInUse(host: String, port: Int)
    /// The server cannot listen at that address and port.
    case cannotListen(host: String, port: Int, reason: String)
    /// The data was written by a newer version.
    case newerStore
    /// The data was written by a version before the first release.
    case developmentStore
    /// The file is no database of a server, or is damaged.
    case corruptStore(file: String, reason: String)
    /// The folder or file cannot be read or written.
    case inaccessible(path: String, reason: String)
    /// Another process uses the data: a server or a command beside it, or a restore or move that needs it alone.
    case inUse(file: String, isServed: Bool)
    /// What was given as the address of a database is none.
    case badDatabaseURL
    /// This build has no PostgreSQL.
    case noPostgres
    /// The database cannot be reached, or its tables cannot be made.
    case unusableDatabase(name: String, reason: String)
    /// The database has tables of another program, with the names of ours.
    case foreignDatabase(name: String)
    /// Two routes, or a route and the kinds of record, contradict each other.
    case badRoutes(reason: String)
}

extension ServerStartError: CustomStringConvertible {
    /// What kept the server from starting, and what to do.
    public var description: String {
        switch self {
        case .addressInUse(let host, let port):
            "port \(port) on \(host) is in use by another program; choose another with --port, or 0 for a free one"
        case .cannotListen(let host, let port, let reason):
            "cannot listen on \(host), port \(port): \(reason)"
        case .newerStore:
            "the server's data was written by a newer Trendy; update Trendy"
        case .developmentStore:
            "the server's data was written by a version before the first release, and is not opened; begin with an "
                + "empty folder, and let a device send its records"
        case .corruptStore(let file, let reason):
            "the server's data in \(file) is damaged or no Trendy database: \(reason); restore it from a backup"
        case .inaccessible(let path, let reason):
            "\(path) cannot be read and written: \(reason); check the folder and its permissions"
        case .inUse(let file, isServed: true):
            "\(file) is in use by a server or another 'trendy server' command; stop that first, then try again"
        case .inUse(let file, isServed: false):
            "\(file) is being restored or moved just now; wait until that has ended, then try again"
        case .badDatabaseURL:
            "the address of the database cannot be read; write it as postgresql://USER@HOST:PORT/DATABASE, with what is "
                + "special in a user or password as %40, and set PGPASSWORD to keep a password out of it"
        case .noPostgres:
            "this build has no PostgreSQL; build Trendy with `swift build --traits default,Postgres`, which needs libpq-dev"
        case .unusableDatabase(let name, let reason):
            "the database \(name) cannot be used: \(reason); check that PostgreSQL runs there, that the database is made, "
                + "and that the user may sign in and make tables"
        case .foreignDatabase(let name):
            "the database \(name) has tables of another program; give Trendy a database of its own"
        case .badRoutes(let reason):
            "the server's routes are wrong: \(reason)"
        }
    }
}

extension ServerStartError {
    init(opening file: URL, _ error: any Error) {
        let path = file.path(percentEncoded: false)
        guard let error = error as? DatabaseError else {
            self = .inaccessible(path: path, reason: error.localizedDescription)
            return
        }
        let reason = error.message ?? "error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_IOERR, .SQLITE_FULL,
            .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .inaccessible(path: path, reason: reason)
        default:
            self = .corruptStore(file: path, reason: reason)
        }
    }
}
