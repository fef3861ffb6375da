import Foundation
import GRDB
public import TrendyDomain

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a copy of a store holds.
public struct StoreSummary: Sendable, Hashable {
    /// How many records of each kind there are.
    public var counts: [EntityType: Int]
    /// How many changes wait to be sent, or were refused.
    public var pending: Int
    /// The size of the file in bytes.
    public var bytes: Int64
    /// Whether the store that a restore replaced was damaged, so that its files were moved aside as they were.
    public internal(set) var isPreviousDamaged = false
    /// The backup that it was taken from, as it was then.
    var origin: BackupState?
}

/// What tells whether a backup was changed since it was looked through: its files' places, sizes and times.
struct BackupState: Sendable, Hashable {
    private struct Part: Sendable, Hashable {
        let device: UInt64
        let number: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
    }

    private let parts: [Part?]

    /// Looks at a backup, and at the log beside it where it has one.
    init(of path: String) {
        parts = ["", "-wal"].map { Self.part(path + $0) }
    }

    private static func part(_ path: String) -> Part? {
        var status = stat()
        // A reader of a store may leave an empty log beside it.
        guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_ctimespec
        #else
            let time = status.st_ctim
        #endif
        return Part(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
            size: Int64(status.st_size), seconds: time.tv_sec, nanoseconds: Int(time.tv_nsec))
    }
}

/// Copies a database into a file of its own, and looks whether the copy is whole.
struct StoreCopy {
    let schema: EntitySchema
    let tables: RecordTables
    let watch: CopyWatch

    /// Copies all pages at one moment, which writers do not disturb.
    ///
    /// The copy has no log beside it and is safe on the disk when this returns.
    ///
    /// - Parameter name: What the copy will be called, for whoever reads what went wrong.
    func make(of source: DatabaseQueue, at path: String, for name: String) throws -> StoreSummary {
        do {
            let target = try DatabaseQueue(path: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            try watch.copy(source, to: target)
            try target.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            let summary = try check(target, name)
            try target.close()
            try Disk.sync(path)
            return summary
        } catch {
            throw StoreError(error, path: name)
        }
    }

    /// Counts what a database holds, once its integrity is proven.
    ///
    /// - Parameter isProven: Whether its integrity is known already.
    /// - Throws: ``StoreError/corrupt(_:)``.
    func check(_ queue: DatabaseQueue, _ path: String, isProven: Bool = false) throws -> StoreSummary {
        if !isProven { try watch.proceed(.checking) }
        let summary = try watch.working(on: queue) {
            try queue.inDatabase { database in
                if !isProven { try prove(database, path) }
                return try count(database)
            }
        }
        // A cancelled copy gets no name.
        if !isProven { try watch.proceed(.checking) }
        return summary
    }

    private func prove(_ database: Database, _ path: String) throws {
        let answers = try String.fetchAll(database, sql: "PRAGMA integrity_check(5)")
        guard answers == ["ok"] else {
            throw StoreError.corrupt("\(path): \(answers.joined(separator: "; ")); take another copy")
        }
    }

    private func count(_ database: Database) throws -> StoreSummary {
        var counts: [EntityType: Int] = [:]
        for type in schema.types {
            counts[type.entityType] =
                try Int.fetchOne(database, sql: tables.table(of: type.entityType).count) ?? 0
        }
        let waiting = "SELECT count(*) FROM sync_mutation WHERE state IN ('queued', 'sending', 'parked')"
        let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let size = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        return StoreSummary(
            counts: counts, pending: try Int.fetchOne(database, sql: waiting) ?? 0, bytes: pages * size)
    }

    /// Gives a finished file its name, in the place of one that has it.
    static func rename(_ path: String, to name: String) throws {
        #if canImport(Glibc)
            let result = Glibc.rename(path, name)
        #elseif canImport(Musl)
            let result = Musl.rename(path, name)
        #else
            let result = Darwin.rename(path, name)
        #endif
        guard result == 0 else {
            throw StoreError.inaccessible("\(name) cannot be written: \(String(cString: strerror(errno)))")
        }
        try Disk.sync(URL(fileURLWithPath: name).deletingLastPathComponent().path)
    }
}
