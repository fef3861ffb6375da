import Foundation
import GRDB

extension SQLiteServerStore {
    /// Bytes below which the disk counts as full: a checkpoint of the log needs about as much.
    private static let leastFreeSpace = 4 << 20

    /// Writes a page of the file, and waits until it is on disk.
    public func probe() throws {
        if let free = freeSpace, free < Self.leastFreeSpace { throw StoreFault("the disk is full") }
        do {
            // Nobody reads that number. SQLite writes its page whether or not it is another one than before.
            try database.writeWithoutTransaction { database in
                try database.transaction(for: .writing) { try database.run("PRAGMA user_version = 0") }
            }
        } catch let error as DatabaseError {
            throw StoreFault(error)
        }
    }

    /// Looks through the whole file beside reads and writes.
    public func checkIntegrity() throws {
        do {
            let complaints = try database.unsafeRead { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
            if complaints != ["ok"] { throw StoreFault.damaged(complaints.joined(separator: "; ")) }
        } catch let error as DatabaseError {
            throw StoreFault(error)
        }
    }

    /// Free bytes on the disk of the file; nil where there is no file, or nobody can say.
    private var freeSpace: Int? {
        let path = database.path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    }
}

extension StoreFault {
    static func damaged(_ cause: String) -> StoreFault { StoreFault("the database is damaged", cause: cause) }

    init(_ error: DatabaseError) {
        let cause = "\(error)"
        switch error.resultCode {
        case .SQLITE_FULL: self.init("the disk is full", cause: cause)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: self.init("the database cannot be written", cause: cause)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(cause)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init("another process keeps everybody from writing to the database", cause: cause)
        case .SQLITE_IOERR: self.init("reading or writing the disk fails", cause: cause)
        default: self.init("the database cannot be used", cause: cause)
        }
    }
}
