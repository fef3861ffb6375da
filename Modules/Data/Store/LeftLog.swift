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

/// The log of a store whose file has lost its content or is gone.
///
/// SQLite takes such a file for a new database, and removes the log. But the log of a young device has every page of
/// the store, and SQLite reads them all beside a file of zeros. A store that is being made has no log with content
/// before its file has its first page.
struct LeftLog {
    /// The file of the store, with links followed.
    private let store: String
    private let path: String

    /// Nil where the file has content, or where no log with content is beside it.
    init?(of name: String) {
        guard Self.size(name) == 0 else { return nil }
        let store = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
        guard Self.size(store + "-wal") > 0 else { return nil }
        (self.store, path) = (store, store + "-wal")
    }

    /// Makes a file of one empty page, so that SQLite reads the store from the log. It does so only if the log has the
    /// whole store.
    ///
    /// - Throws: ``StoreError/corrupt(_:)`` where it has not. Nothing is changed then.
    func recover() throws(StoreError) {
        do {
            // SQLite does not lock this file. Of several processes that come now, one gives the store its file.
            let lock = open(path, O_RDWR | O_CLOEXEC)
            // Another process has made a store, and closed it.
            if lock < 0, errno == ENOENT { return }
            guard lock >= 0 else { throw SystemCallError("open") }
            defer { close(lock) }
            guard flock(lock, LOCK_EX) == 0 else { throw SystemCallError("flock") }
            guard Self.size(store) == 0, let log = try PrivateFile.contents(of: path) else { return }
            guard let pageSize = Self.pageSize(of: log), try isWhole(log) else { throw refusal }
            if FileManager.default.fileExists(atPath: store) {
                guard truncate(store, off_t(pageSize)) == 0 else { throw SystemCallError("truncate") }
            } else {
                try PrivateFile.make(store, holding: Data(count: pageSize))
            }
        } catch let error as SystemCallError {
            throw .inaccessible("\(path): \(error)")
        } catch {
            let reason = StoreError(error, path: path)
            if case .corrupt = reason { throw refusal }
            throw reason
        }
    }

    /// Whether SQLite reads a whole database from the log. It looks at a copy: whoever closes a part of a database
    /// writes it into the file, and removes the log.
    private func isWhole(_ log: Data) throws -> Bool {
        let copy = "\(store).\(getpid()).log"
        LocalStoreFactory.removeFiles(of: copy)
        defer { LocalStoreFactory.removeFiles(of: copy) }
        // SQLite reads these bytes in place of a page that the log lacks. Unlike zeros they never pass for one.
        try PrivateFile.make(copy, holding: Data(repeating: 0xFF, count: log.count))
        try PrivateFile.make(copy + "-wal", holding: log)
        let database = try DatabaseQueue(path: copy)
        let answers = try database.inDatabase { try String.fetchAll($0, sql: "PRAGMA integrity_check(1)") }
        try database.close()
        return answers == ["ok"]
    }

    /// Names the files: what the log has is perhaps nowhere else.
    private var refusal: StoreError {
        let loss = FileManager.default.fileExists(atPath: store) ? "has no content any more" : "is gone"
        return .corrupt(
            "\(store) \(loss), and its log \(path) has only a part of the store; move both away and sync again, or "
                + "restore a copy")
    }

    /// The size of the pages in a log, by its header (SQLite's file format, section 4.1); nil where that is none.
    private static func pageSize(of log: Data) -> Int? {
        guard log.count >= 32 else { return nil }
        func number(at place: Int) -> Int { log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let size = number(at: 8)
        guard [0x377F_0682, 0x377F_0683].contains(number(at: 0)), (512...65_536).contains(size),
            size.nonzeroBitCount == 1
        else { return nil }
        return size
    }

    /// How many bytes a file has; 0 where there is none.
    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
