public import Foundation
public import TrendyDomain

/// What an operator does with a server's data, also while servers use it.
///
/// Each write is a transaction of its own through the same store that servers use, and large work is done in bounded
/// pieces, so that requests have their turn between two. The calls block. What cannot be done is thrown as
/// ``ServerProblem`` or ``OperatorError``.
public struct ServerOperator: Sendable {
    /// How many accounts, records or keys are read or written at once.
    static let pieceLimit = 1_000

    let store: any ServerStore
    let accounts: AccountService
    let records: RecordService
    let catalog: RecordCatalog
    let clock: any WallClock

    /// Works on what is in a store.
    public init(
        store: any ServerStore, catalog: RecordCatalog = .trendy, clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource(), cost: PasswordCost = .standard
    ) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
        records = RecordService(store: store, catalog: catalog, clock: clock, random: random)
        accounts = AccountService(
            store: store, clock: clock, ids: UUIDv7Generator(clock: clock, random: random), random: random, cost: cost)
    }

    /// Works on the data in a folder.
    ///
    /// - Throws: ``OperatorError/noData(folder:)`` where there is none; ``ServerStartError``.
    public init(dataDirectory: URL, clock: any WallClock = SystemWallClock()) throws {
        let file = ServerConfiguration(dataDirectory: dataDirectory).databaseFile
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            throw OperatorError.noData(folder: dataDirectory.path(percentEncoded: false))
        }
        self.init(store: try SQLiteServerStore(file: file), clock: clock)
    }

    /// Works on the data in a PostgreSQL database.
    ///
    /// - Throws: ``ServerStartError``: of case ``ServerStartError/noPostgres`` where the trait `Postgres` was not named
    ///   when this was built.
    public init(database url: String, clock: any WallClock = SystemWallClock()) throws {
        #if Postgres
            self.init(store: try PostgresServerStore(url: url, connections: 1), clock: clock)
        #else
            throw ServerStartError.noPostgres
        #endif
    }
}
