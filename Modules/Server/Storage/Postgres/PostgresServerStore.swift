#if Postgres
    import Dispatch
    import Foundation
    public import Logging
    public import TrendyDomain

    /// A server's data in a PostgreSQL database, which any number of server processes may share.
    ///
    /// No process keeps anything of it in memory. The writes of an account are in one order, because each transaction
    /// locks the account's row before it reads what it will change. A transaction that others were in the way of is run
    /// again, and so is one whose connection was lost before its end. Where a connection is lost during the commit,
    /// nobody knows the end: the request is answered with 503, and its keys make it safe to send it again.
    public struct PostgresServerStore: ServerStore {
        /// Connections of one process. A database takes a hundred in all, if nobody has told it otherwise.
        public static let usualConnections = 10

        private let pool: PostgresPool
        private let logger: Logger?
        /// What servers on this database tell each other.
        public let headHints: (any HeadHints)?

        /// Connects, and makes the tables where there are none.
        ///
        /// - Parameters:
        ///   - url: `postgresql://USER@HOST:PORT/DATABASE`. A password may stand in it, or in `PGPASSWORD`, or in `~/.pgpass`.
        ///   - connections: How many there are at most. Who comes when all are in use waits ten seconds, then gets a 503.
        ///   - logger: Told why the database could not do what was asked. It never has the URL.
        /// - Throws: ``ServerStartError`` where the database cannot be reached, may not be used, or has other tables.
        public init(
            url: String, connections: Int = usualConnections, logger: Logger? = nil
        ) throws(ServerStartError) {
            let database = try PostgresURL(url)
            pool = PostgresPool(database, size: max(1, connections))
            self.logger = logger
            headHints = PostgresHeadHints(database)
            do {
                try PostgresSchema.prepare(pool)
            } catch let error as ServerStartError {
                throw error
            } catch {
                throw .unusableDatabase(name: database.name, reason: "\(error)")
            }
        }

        /// Accounts do not wait for each other.
        public var hasOneWriter: Bool { false }

        /// Those of this process.
        public var connections: [StoreConnections] { [pool.connections] }

        /// Runs the body on one state of the data, beside other reads and writes.
        public func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value {
            try transaction(for: .reading) { try body(PostgresRecords($0, userId: userId)) }
        }

        /// Carries out the jobs of each user in one transaction. Where a job fails after its first write, or PostgreSQL
        /// refuses one of them, each gets a transaction of its own.
        public func write(_ jobs: [WriteJob]) {
            let groups = Array(Dictionary(grouping: jobs, by: \.userId).values)
            if groups.count == 1 { return write(account: jobs) }
            DispatchQueue.concurrentPerform(iterations: groups.count) { write(account: groups[$0]) }
        }

        private func write(account jobs: [WriteJob]) {
            do {
                for end in try carryOut(jobs) { end() }
            } catch {
                // A problem ends all of them: the database is away, or others are in the way for long.
                guard jobs.count > 1, !(error is ServerProblem) else { return jobs.forEach { $0.fail(error) } }
                for job in jobs { write(account: [job]) }
            }
        }

        /// Carries out the jobs of one user. Answers what to do after the commit.
        private func carryOut(_ jobs: [WriteJob]) throws -> [@Sendable () -> Void] {
            guard let userId = jobs.first?.userId else { return [] }
            return try transaction(for: .records) { transaction in
                var row = try PostgresRecords.lock(userId, transaction)
                var ends: [@Sendable () -> Void] = []
                for job in jobs {
                    let records = PostgresRecords(transaction, userId: userId, row)
                    let writes = transaction.writes
                    do {
                        ends.append(try job.run(records))
                        row.history = try records.history()
                    } catch {
                        if let failure = transaction.failure { throw failure }
                        if jobs.count == 1 { throw error }
                        if transaction.writes > writes { throw HalfDone() }
                        ends.append { job.fail(error) }
                    }
                }
                if row.history == nil { try PostgresRecords.unlock(userId, transaction) }
                return ends
            }
        }

        /// A job of several has failed after it had written.
        private struct HalfDone: Error {}

        /// Reads them with one statement.
        public func heads(of userIds: Set<String>) throws -> [String: ServerHead] {
            if userIds.isEmpty { return [:] }
            let rows = try transaction(for: .reading) { transaction in
                try transaction.query(
                    """
                    SELECT history.user_id, history.epoch, history.head FROM unnest($1::bytea[]) AS wanted (user_id)
                    JOIN history ON history.user_id = wanted.user_id WHERE history.epoch IS NOT NULL
                    """, [.ids(Array(userIds))]
                ).map { ($0.id(0), ServerHead(epoch: $0.text(1), head: $0.number(2))) }
            }
            return Dictionary(rows) { $1 }
        }

        /// Reads them with one statement.
        public func userIds(after userId: String?, limit: Int) throws -> [String] {
            try transaction(for: .reading) { transaction in
                // No id is as short as none.
                try transaction.query(
                    """
                    SELECT user_id FROM history WHERE user_id > $1::bytea AND epoch IS NOT NULL
                    ORDER BY user_id LIMIT $2::int8
                    """, [userId.map { .id($0) } ?? .bytes([]), .number(Int64(limit))]
                ).map { $0.id(0) }
            }
        }

        /// Rows that belong to no account. PostgreSQL itself tells its operator of damaged files.
        public func flaws() throws -> StoreFlaws {
            try transaction(for: .reading) { transaction in
                // It looks at every row.
                _ = try transaction.query("SELECT set_config('statement_timeout', '0', true)")
                var flaws = StoreFlaws()
                try flaws.add(Self.strays) { try transaction.query("SELECT count(*) FROM \($0)").first?.number(0) ?? 0 }
                return flaws
            }
        }

        private static let strays =
            ["record", "outcome", "usage", "run"].map { table in
                StoreFlaws.Strays(
                    ["record": "records and tombstones", "outcome": "keys of requests", "run": "runs of servers"][table]
                        ?? "counts of records",
                    """
                    \(table) WHERE NOT EXISTS (SELECT 1 FROM history WHERE history.user_id = \(table).user_id)
                    """)
            } + [
                StoreFlaws.Strays(
                    "references",
                    """
                    record_reference WHERE NOT EXISTS
                        (SELECT 1 FROM record WHERE id = child_id AND entity_type = child_type)
                    """)
            ] + StoreFlaws.Strays.ofAccounts

        /// Runs the body on one state of all accounts.
        public func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
            try transaction(for: .reading) { try body(PostgresAccounts(transaction: $0)) }
        }

        /// Runs the body as if nobody else wrote accounts; what it throws undoes everything. It may be run several times.
        public func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
            try transaction(for: .accounts) { try body(PostgresAccounts(transaction: $0)) }
        }

        /// Asks whether the database takes writes. A connection that was lost since its last use is made anew, once.
        public func probe() throws {
            do {
                try probeOnce()
            } catch let error as PostgresError where error.isLost {
                do { try probeOnce() } catch let error as PostgresError { throw StoreFault(error) }
            } catch let error as PostgresError {
                throw StoreFault(error)
            }
        }

        private func probeOnce() throws {
            let rows = try pool.withConnection { connection in
                try PostgresTransaction.run(on: connection, for: .records) {
                    try $0.query("SELECT current_setting('transaction_read_only')").map { $0.text(0) }
                }
            }
            if rows != ["off"] { throw StoreFault("the database takes no writes") }
        }

        /// Runs the body in a transaction, again from its beginning where others or the connection were in the way.
        ///
        /// - Throws: What the body throws, or ``ServerProblem`` of kind `unavailable`, or what is a fault of the server.
        private func transaction<Value>(
            for purpose: PostgresTransaction.Purpose, _ body: (PostgresTransaction) throws -> Value
        ) throws -> Value {
            var retry = PostgresRetry()
            while true {
                do {
                    return try pool.withConnection { try PostgresTransaction.run(on: $0, for: purpose, body) }
                } catch let error as PostgresError {
                    guard let pause = retry.pause(after: error, isConflict: purpose.isConflict(error)) else {
                        logger?.warning("the database has refused", metadata: ["reason": "\(error)"])
                        throw error.problem ?? error
                    }
                    Thread.sleep(forTimeInterval: pause)
                }
            }
        }
    }
#endif
