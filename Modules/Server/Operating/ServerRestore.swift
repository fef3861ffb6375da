public import Foundation
public import TrendyDomain

/// Puts what a backup holds in the place of a server's data.
///
/// Each account gets a new epoch. A device that knows of changes which the backup does not have takes all anew, and keeps
/// what it has not sent; any other goes on. A crash at any moment leaves the old data or the new.
public struct ServerRestore: Sendable {
    /// What was restored.
    public struct Report: Codable, Sendable, Hashable {
        /// How many accounts there are.
        public var accounts: Int
        /// How many records there are.
        public var records: Int
        /// Where the data that was there before is kept; nil where there was none.
        public var previous: String?
    }

    private let folder: URL
    private let catalog: RecordCatalog
    private let clock: any WallClock

    private var file: URL { ServerConfiguration(dataDirectory: folder).databaseFile }

    /// Restores into a folder.
    public init(
        dataDirectory: URL, catalog: RecordCatalog = .trendy, clock: any WallClock = SystemWallClock()
    ) {
        folder = dataDirectory
        self.catalog = catalog
        self.clock = clock
    }

    /// Restores a backup.
    ///
    /// - Parameter isForced: Whether data that is there already may be replaced; it is kept beside the new.
    /// - Throws: ``OperatorError``, and ``ServerStartError/inUse(file:isServed:)`` while a server runs; then all is as it
    ///   was.
    public func run(from backup: URL, isForced: Bool) throws -> Report {
        let source = backup.path(percentEncoded: false)
        let path = file.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: source) else {
            throw OperatorError.unusableBackup(path: source, reason: "there is no such file")
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw OperatorError.notWritten(path: path, reason: error.localizedDescription)
        }
        let lock = try DataLock(of: file, .exclusive)
        defer { withExtendedLifetime(lock) {} }
        let exists = FileManager.default.fileExists(atPath: path)
        if exists, !isForced { throw OperatorError.exists(path: path) }
        let copy = URL(filePath: "\(path).restoring")
        defer { DatabaseFile.remove(copy) }
        let report = try load(backup, into: copy)
        do { try DatabaseFile.flatten(copy) } catch {
            throw OperatorError.notWritten(path: path, reason: DatabaseFile.reason(error))
        }
        DatabaseFile.giveToOwner(ofFolder: copy)
        let previous = exists ? try keepPrevious() : nil
        try DatabaseFile.rename(copy, to: file)
        return Report(
            accounts: report.accounts, records: report.records, previous: previous?.path(percentEncoded: false))
    }

    /// Copies the backup, checks the copy, and gives its histories other names.
    private func load(_ backup: URL, into copy: URL) throws -> CheckReport {
        let name = backup.path(percentEncoded: false)
        do {
            DatabaseFile.remove(copy)
            try SQLiteServerStore.copy(readOnly: backup, to: copy)
            let store = try SQLiteServerStore(file: copy, lock: nil)
            let manager = ServerOperator(store: store, catalog: catalog, clock: clock)
            let report = try manager.check()
            if let problem = report.problems.first {
                throw OperatorError.unusableBackup(path: name, reason: "it is damaged: \(problem)")
            }
            try manager.renewEpochs(isForAll: false)
            return report
        } catch let error as ServerStartError {
            throw OperatorError.unusableBackup(path: name, reason: Self.reason(error))
        } catch let error as OperatorError {
            throw error
        } catch {
            throw OperatorError.unusableBackup(path: name, reason: DatabaseFile.reason(error))
        }
    }

    private static func reason(_ error: ServerStartError) -> String {
        switch error {
        case .newerStore: "it was written by a newer Trendy; update Trendy"
        case .developmentStore: "it was written by a version before the first release"
        case .corruptStore(_, let reason): "it is damaged or no database of a server: \(reason)"
        default: error.description
        }
    }

    /// Gives the data that is there a second name. Where it cannot be read, its log is moved along as it is.
    private func keepPrevious() throws -> URL {
        let path = file.path(percentEncoded: false)
        let seconds = clock.now().milliseconds / 1000
        let previous = URL(filePath: "\(path).before-restore-\(seconds)")
        let name = previous.path(percentEncoded: false)
        do {
            do {
                try DatabaseFile.flatten(file)
            } catch {
                for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
                    try FileManager.default.moveItem(atPath: path + suffix, toPath: name + suffix)
                }
            }
            try FileManager.default.linkItem(at: file, to: previous)
        } catch {
            throw OperatorError.notWritten(path: name, reason: error.localizedDescription)
        }
        return previous
    }
}

extension ServerOperator {
    /// Gives every account a new epoch, as after the data was restored by other programs.
    ///
    /// - Parameter isForAll: Whether every device must take all anew, and not those alone that know of lost changes.
    /// - Returns: How many accounts have one.
    @discardableResult
    public func renewEpochs(isForAll: Bool = true) throws -> Int {
        var count = 0
        try forEachUser { userId in
            try records.prepareRenewal(of: userId, isForAll: isForAll).commit()
            count += 1
        }
        return count
    }
}
