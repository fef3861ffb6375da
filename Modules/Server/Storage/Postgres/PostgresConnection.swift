#if Postgres
    import CPostgres
    import Synchronization

    /// A connection to the database. One thread at a time uses it; its statements are prepared once.
    ///
    /// It is in libpq's pipeline mode: a statement whose answer nobody waits for goes out with the next one that
    /// somebody waits for, and both take one way there and back.
    final class PostgresConnection: Sendable {
        private let state: Mutex<PostgresPipeline>

        /// Connects, and sets what all transactions want.
        init(_ database: PostgresURL) throws(PostgresError) {
            guard let handle = PQconnectdb(database.conninfo) else { throw PostgresError(connection: nil) }
            guard PQstatus(handle) == CONNECTION_OK, PQenterPipelineMode(handle) == 1 else {
                let error = PostgresError(connection: handle)
                PQfinish(handle)
                throw error
            }
            // By itself libpq writes notices to standard error.
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            state = Mutex(PostgresPipeline(handle: handle))
            _ = try query(Self.settings)
        }

        deinit { state.withLock { $0.close() } }

        /// Whether it can be used again.
        var isUsable: Bool { state.withLock(\.isUsable) }

        /// Carries out a command that is no query, such as BEGIN.
        @discardableResult
        func run(_ sql: String) throws(PostgresError) -> PostgresRows {
            try state.withLock { state throws(PostgresError) in
                try state.send(sql)
                return try state.answer()
            }
        }

        /// Carries out a statement that is prepared at its first use.
        func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresRows {
            try state.withLock { state throws(PostgresError) in
                try state.send(sql, parameters)
                return try state.answer()
            }
        }

        /// Sends a command, whose answer comes with that of the next one that is waited for.
        func send(_ sql: String) throws(PostgresError) {
            try state.withLock { state throws(PostgresError) in try state.send(sql) }
        }

        /// Sends a statement, whose answer comes with that of the next one that is waited for.
        ///
        /// - Parameter rows: How many rows the statement must write; nil for any number.
        func sendQuery(_ sql: String, _ parameters: [PostgresValue], writing rows: Int?) throws(PostgresError) {
            try state.withLock { state throws(PostgresError) in try state.send(sql, parameters, writing: rows) }
        }

        /// Waits for the answers to everything that was sent.
        ///
        /// - Throws: The first failure. What was sent after that statement was not carried out.
        func settle() throws(PostgresError) {
            try state.withLock { state throws(PostgresError) in _ = try state.answer() }
        }

        /// Ends a transaction that has only read, without a wait for the answer.
        func endReading() throws(PostgresError) {
            try state.withLock { state throws(PostgresError) in
                try state.send("COMMIT")
                try state.mark()
            }
        }

        /// Undoes the transaction. Where that fails, the connection is not used again.
        func rollBack() {
            state.withLock { state in
                // Behind a statement that fails, nothing is carried out, not even that.
                _ = try? state.answer()
                guard (try? state.send("ROLLBACK")) != nil else { return }
                _ = try? state.answer()
            }
        }

        /// What was notified, waited for at most so long.
        func notifications(waiting seconds: Double) throws(PostgresError) -> [String] {
            try state.withLock { state throws(PostgresError) in try state.notifications(waiting: seconds) }
        }

        /// Settings of the session, of which each database takes those that it has.
        ///
        /// All is found by an index. A new table has no statistics, by which the planner might keep a plan that reads the
        /// whole of it. A commit that is not on disk is never acknowledged, whatever the database's own setting is.
        private static let settings = """
            SELECT set_config(has.name, wanted.setting, false)
            FROM (VALUES ('lock_timeout', '10s'), ('statement_timeout', '60s'),
                ('idle_in_transaction_session_timeout', '60s'), ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'),
                ('enable_mergejoin', 'off'), ('jit', 'off'), ('synchronous_commit', 'on')) AS wanted (name, setting)
            JOIN pg_settings AS has ON has.name = wanted.name
            WHERE wanted.name <> 'synchronous_commit' OR has.setting = 'off'
            """
    }
#endif
