public import Foundation
import TrendyDomain

/// Moves a whole server from its folder into an empty database: accounts with their password hashes and sign-ins, records,
/// tombstones, keys, heads and epochs. Devices notice nothing.
///
/// Everything is written in bounded pieces and read back. The accounts come last, so that nobody can sign in to a half: a
/// target without accounts is what an interrupted move has left, and another move may begin anew over it.
public struct ServerMove: Sendable {
    /// What was moved.
    public struct Report: Codable, Sendable, Hashable {
        /// How many accounts.
        public var accounts = 0
        /// How many sign-ins.
        public var sessions = 0
        /// How many records.
        public var records = 0
        /// How much of deleted records is left.
        public var tombstones = 0
        /// How many keys of requests.
        public var keys = 0
        /// The SHA-256 of all records and tombstones, which is that of the source and of the target.
        public var checksum = ""
    }

    private let folder: URL
    private let catalog: RecordCatalog

    /// Moves what is in a folder; it stays there as it is.
    public init(from dataDirectory: URL, catalog: RecordCatalog = .trendy) {
        folder = dataDirectory
        self.catalog = catalog
    }

    /// Moves it into a PostgreSQL database.
    ///
    /// - Parameter isAnew: Whether what an interrupted move has left there is erased first.
    /// - Throws: ``OperatorError``, ``ServerStartError``: of case ``ServerStartError/inUse(file:isServed:)`` while a server
    ///   runs, and of case ``ServerStartError/noPostgres`` where the trait `Postgres` was not named when this was built.
    public func run(to url: String, isAnew: Bool) throws -> Report {
        #if Postgres
            try run(to: PostgresServerStore(url: url, connections: 2), named: "the database", isAnew: isAnew)
        #else
            throw ServerStartError.noPostgres
        #endif
    }

    /// Moves it into a store.
    func run(to target: any ServerStore, named name: String, isAnew: Bool) throws -> Report {
        let file = ServerConfiguration(dataDirectory: folder).databaseFile
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            throw OperatorError.noData(folder: folder.path(percentEncoded: false))
        }
        let source = try SQLiteServerStore(file: file, lock: DataLock(of: file, .exclusive))
        if let problem = try ServerOperator(store: source, catalog: catalog).check().problems.first {
            throw OperatorError.notMoved(
                reason: "the data in \(folder.path(percentEncoded: false)) is damaged, as 'trendy server check' tells: "
                    + "\(problem)", remedy: "restore a backup first; nothing was written")
        }
        try makeRoom(in: target, isAnew: isAnew)
        do {
            return try StoreTransfer(source: source, target: target, catalog: catalog).run()
        } catch let error as OperatorError {
            throw error
        } catch {
            throw OperatorError.notMoved(
                reason: "it was interrupted: \((error as? ServerProblem)?.description ?? "\(error)")",
                remedy: "move again with --anew, which erases what was written")
        }
    }

    /// Makes sure that nothing of anybody is in the target.
    private func makeRoom(in target: any ServerStore, isAnew: Bool) throws {
        guard try target.readAccounts({ try $0.accounts(after: nil, limit: 1) }).isEmpty else {
            throw OperatorError.notMoved(
                reason: "the target has accounts already", remedy: "name an empty database; nothing was written")
        }
        let isEmpty = try target.userIds(after: nil, limit: 1).isEmpty
        guard isEmpty || isAnew else {
            throw OperatorError.notMoved(
                reason: "the target has what an interrupted move has left",
                remedy: "add --anew to erase that and begin anew; nothing was written")
        }
        let manager = ServerOperator(store: target, catalog: catalog)
        // Whoever has a history there has no account: it is removed as what is left of a deleted one.
        if !isEmpty { _ = try manager.prune(before: Timestamp(milliseconds: 0)) }
        try target.writeAccounts { try $0.deleteEnded(before: Timestamp(milliseconds: .max)) }
    }
}
