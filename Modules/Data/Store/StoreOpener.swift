import Foundation
import GRDB
import TrendyDomain

/// Opens connections to the file of a store, and makes and migrates the file where that is needed.
struct StoreOpener: Sendable {
    let path: String
    /// All migrations that this version knows, oldest first.
    let migrations: [StoreMigration]
    /// How long a connection waits for a lock, in seconds.
    let busyTimeout: TimeInterval
    /// Whether it is known otherwise that the store has held records.
    var hasHeldRecords: @Sendable () -> Bool = { false }

    /// A connection to the store in its newest shape.
    ///
    /// - Parameter file: The file that it must be to; nil for whatever is there, and for a new one where there is none.
    func open(expecting file: FileIdentity? = nil) throws(StoreError) -> DatabaseQueue {
        if let file { try require(file) }
        try LeftLog(of: path)?.recover()
        let isNew = !FileManager.default.fileExists(atPath: path)
        if isNew { try makeFolder() } else { try refuseEmptied() }
        do {
            let connection = try DatabaseQueue(path: path, configuration: configuration)
            // Opening makes a file that has just been removed. Nothing is written to it.
            if let file { try require(file) }
            // Before the first table is made; the files beside the store get the same mode from SQLite.
            if isNew { try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
            try connection.inDatabase(prepare)
            return connection
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Makes sure that the path leads to this file.
    func require(_ file: FileIdentity) throws(StoreError) {
        guard FileIdentity(path) == file else { throw .replaced(path: path) }
    }

    /// The page cache in KiB: enough for the upper pages of every index of a store with years of events.
    private static let cacheSize = 16_384
    /// Pages in the log before they are copied back: a long push changes the same pages again and again, and the copying
    /// waits for the disk.
    private static let checkpointPages = 16_000
    /// How many bytes of the log stay on the disk for reuse.
    private static let keptLog = 16 << 20

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(busyTimeout)
        // A unit of work is one transaction over many accesses.
        configuration.allowsUnsafeTransactions = true
        configuration.foreignKeysEnabled = false
        configuration.label = "Trendy"
        return configuration
    }

    /// Refuses a file that has lost its content, with no log beside it: SQLite takes it for a new database.
    private func refuseEmptied() throws(StoreError) {
        let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
        guard size == 0, hasHeldRecords() else { return }
        throw .corrupt("\(path) has no content any more")
    }

    func makeFolder() throws(StoreError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            let reason = Self.reason(error, folder)
            throw .inaccessible("the folder \(folder.path) cannot be made: \(reason); name another one")
        }
    }

    /// Why a folder cannot be made, in words.
    private static func reason(_ error: any Error, _ folder: URL) -> String {
        var present = folder
        while present.path != "/", !FileManager.default.fileExists(atPath: present.path) {
            present.deleteLastPathComponent()
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: present.path, isDirectory: &isFolder), !isFolder.boolValue {
            return "\(present.path) is no folder"
        }
        if !FileManager.default.isWritableFile(atPath: present.path) { return "you may not write in \(present.path)" }
        // File systems take 255 bytes (POSIX, NAME_MAX), and not every Foundation tells that reason.
        if folder.pathComponents.contains(where: { $0.utf8.count > 255 }) { return "its name is too long" }
        let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code
        switch code.flatMap({ POSIXErrorCode(rawValue: Int32($0)) }) {
        case .ENOSPC, .EDQUOT: return "the disk is full"
        case .EROFS: return "the disk is read-only"
        case .ENAMETOOLONG: return "its name is too long"
        case .ELOOP: return "too many symbolic links lead to it"
        default: return "the file system of \(present.path) does not take it"
        }
    }

    /// Makes commits durable, and brings the store into its newest shape where it is not.
    private func prepare(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA cache_size = -\(Self.cacheSize);
                PRAGMA wal_autocheckpoint = \(Self.checkpointPages);
                PRAGMA journal_size_limit = \(Self.keptLog);
                PRAGMA temp_store = MEMORY;
                """)
        database.add(function: StoredId.function)
        #if canImport(Darwin)
            // There fsync leaves the data in the drive's cache.
            try database.execute(sql: "PRAGMA fullfsync = 1")
        #endif
        let migrator = StoreMigrator(migrations: migrations, path: path)
        if try migrator.isComplete(database) { return }
        try migrator.migrate(database, waitingUpTo: busyTimeout)
    }
}
