import Foundation
import GRDB
import TrendyDomain

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension LocalStoreFactory {
    /// Writes a copy of the store, as it is at one moment, into a file.
    ///
    /// Others may write meanwhile, and need not wait. The copy is made beside the file, and checked, before it takes
    /// the file's name and replaces a former one. At no time is there half a copy. It is a store like any other, of
    /// one file, readable by its owner alone.
    ///
    /// - Parameter progress: Told how far it is, from another thread.
    /// - Throws: ``StoreError``; `CancellationError` where the task was cancelled, and no copy was made.
    @concurrent
    @discardableResult
    public func backUp(
        to path: String, progress: @escaping @Sendable (StoreCopyProgress) -> Void = { _ in }
    ) async throws -> StoreSummary {
        try await CopyWatch.during(progress) { try backUp(to: path, $0) }
    }

    private func backUp(to path: String, _ watch: CopyWatch) throws -> StoreSummary {
        guard !Self.isSameFile(path, self.path) else {
            throw StoreError.failed("\(path) is the store itself")
        }
        let temporary = "\(path).\(getpid()).part"
        defer { Self.removeFiles(of: temporary) }
        let connection = try pool.take()
        defer { pool.giveBack(connection) }
        let copy = StoreCopy(schema: schema, tables: tables, watch: watch)
        do {
            let summary = try copy.make(of: connection, at: temporary, for: path)
            try StoreCopy.rename(temporary, to: path)
            return summary
        } catch let error as SystemCallError {
            throw StoreError.inaccessible("\(path): \(error)")
        }
    }

    /// What a copy of a store holds, proven to be one that this version can read.
    ///
    /// The file is not changed; one of an earlier version stays so.
    ///
    /// - Parameter progress: Told how far it is, from another thread.
    /// - Throws: ``StoreError``: ``StoreError/corrupt(_:)`` for what is no such store, and
    ///   ``StoreError/newerVersion(found:supported:)``; `CancellationError` where the task was cancelled.
    @concurrent
    public func inspectBackup(
        at path: String, progress: @escaping @Sendable (StoreCopyProgress) -> Void = { _ in }
    ) async throws -> StoreSummary {
        let temporary = "\(self.path).\(getpid()).inspect"
        defer { Self.removeFiles(of: temporary) }
        return try await CopyWatch.during(progress) { try load(path, into: temporary, $0) }
    }

    /// Copies a backup beside the store and brings it into this version's shape.
    ///
    /// - Parameter inspected: What the backup held when it was checked. A backup that is still the same is not
    ///   checked again, and a changed one is refused.
    func load(
        _ path: String, into temporary: String, _ watch: CopyWatch, inspected: StoreSummary? = nil
    ) throws -> StoreSummary {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.inaccessible("there is no file \(path)")
        }
        let opener = StoreOpener(path: temporary, migrations: pool.opener.migrations, busyTimeout: 30)
        let copy = StoreCopy(schema: schema, tables: tables, watch: watch)
        let origin = BackupState(of: path)
        if let inspected, inspected.origin != origin { throw Self.changed(path) }
        do {
            try opener.makeFolder()
            Self.removeFiles(of: temporary)
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: path, configuration: configuration)
            try source.inDatabase { try StoreMigrator(migrations: opener.migrations, path: path).refuse($0) }
            let target = try DatabaseQueue(path: temporary)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: temporary)
            try watch.copy(source, to: target)
            try source.close()
            try target.close()
            if inspected != nil, BackupState(of: path) != origin { throw Self.changed(path) }
            let store = try opener.open()
            var summary = try copy.check(store, path, isProven: inspected != nil)
            summary.origin = origin
            try store.close()
            return summary
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func changed(_ path: String) -> StoreError {
        .inaccessible("\(path) was changed since it was looked at; run the command again")
    }

    /// Removes a database with the files that SQLite keeps beside it.
    static func removeFiles(of path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    private static func isSameFile(_ path: String, _ other: String) -> Bool {
        var (left, right) = (stat(), stat())
        guard stat(path, &left) == 0, stat(other, &right) == 0 else { return false }
        return left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }
}
