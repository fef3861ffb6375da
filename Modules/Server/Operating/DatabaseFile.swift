import Foundation
import GRDB
import TrendyDomain

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server's database as a file that is copied, checked and put in a place.
enum DatabaseFile {
    /// Looks through a copy that nobody else knows of.
    static func check(_ file: URL, catalog: RecordCatalog) throws -> CheckReport {
        let report = try ServerOperator(store: SQLiteServerStore(file: file, lock: nil), catalog: catalog).check()
        try flatten(file)
        return report
    }

    /// Puts what is in the log into the file itself, which then needs no other beside it.
    static func flatten(_ file: URL) throws {
        let database = try DatabaseQueue(path: file.path(percentEncoded: false))
        try database.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try database.close()
    }

    /// Gives a file that is on disk another name, under which it is found after a power cut too.
    static func rename(_ file: URL, to target: URL) throws {
        let (from, to) = (file.path(percentEncoded: false), target.path(percentEncoded: false))
        try sync(from, for: to)
        guard Foundation.rename(from, to) == 0 else { throw failure(to) }
        try sync(target.deletingLastPathComponent().path(percentEncoded: false), for: to)
    }

    private static func sync(_ path: String, for name: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(name) }
        defer { close(descriptor) }
        #if canImport(Darwin)
            // There fsync leaves the data in the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw failure(name) }
    }

    private static func failure(_ path: String) -> OperatorError {
        .notWritten(path: path, reason: String(cString: strerror(errno)))
    }

    /// Removes a database with the files that SQLite keeps beside it.
    static func remove(_ file: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file.path(percentEncoded: false) + suffix) }
    }

    /// What a database's error says to a person.
    static func reason(_ error: any Error) -> String {
        (error as? DatabaseError)?.message ?? (error as? CocoaError)?.localizedDescription ?? "\(error)"
    }
}

extension DatabaseFile {
    /// Gives a file that this process has made to the owner of its folder, if root works in the folder of another: the
    /// server could not open it. Where that is not possible, the server says so.
    static func giveToOwner(ofFolder file: URL, _ descriptor: Int32) {
        let folder = file.deletingLastPathComponent().path(percentEncoded: false)
        guard geteuid() == 0, let attributes = try? FileManager.default.attributesOfItem(atPath: folder),
            let owner = attributes[.ownerAccountID] as? UInt32, let group = attributes[.groupOwnerAccountID] as? UInt32
        else { return }
        _ = fchown(descriptor, owner, group)
    }

    /// The same, by its path.
    static func giveToOwner(ofFolder file: URL) {
        let descriptor = open(file.path(percentEncoded: false), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        giveToOwner(ofFolder: file, descriptor)
        close(descriptor)
    }
}

extension SQLiteServerStore {
    /// Copies a database that may lie where nothing can be written.
    static func copy(readOnly source: URL, to file: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: source.path(percentEncoded: false), configuration: configuration)
        try copy(database, to: file)
        try database.close()
    }

    /// Copies all pages at one moment into a new file, which its owner alone may read. Writers need not wait.
    func copy(to file: URL) throws { try Self.copy(database, to: file) }

    private static func copy(_ database: any DatabaseReader, to file: URL) throws {
        let path = file.path(percentEncoded: false)
        DatabaseFile.remove(file)
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw OperatorError.notWritten(path: path, reason: String(cString: strerror(errno))) }
        let target = try DatabaseQueue(path: path)
        try database.backup(to: target)
        try target.close()
        try DatabaseFile.flatten(file)
    }
}
