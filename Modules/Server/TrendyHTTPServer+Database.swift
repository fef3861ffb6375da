public import Logging
public import TrendyDomain

extension TrendyHTTPServer {
    /// Serves what is in a PostgreSQL database, which other servers may serve at the same time; the configured folder is
    /// not touched.
    ///
    /// - Parameter url: `postgresql://USER@HOST:PORT/DATABASE`. A password may stand in it, or in `PGPASSWORD`, or in
    ///   `~/.pgpass`.
    /// - Throws: ``ServerStartError``: of case ``ServerStartError/noPostgres`` where the trait `Postgres` was not named
    ///   when this was built.
    public init(
        _ configuration: ServerConfiguration, database url: String, clock: any WallClock = SystemWallClock(),
        logger: Logger? = nil
    ) throws(ServerStartError) {
        #if Postgres
            let logger = logger ?? ServerLog().logger
            let store = try PostgresServerStore(url: url, logger: logger)
            try self.init(configuration, store: store, clock: clock, logger: logger)
        #else
            throw .noPostgres
        #endif
    }
}
