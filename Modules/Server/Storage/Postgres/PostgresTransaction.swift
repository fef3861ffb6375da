#if Postgres
    import TrendyDomain

    /// A transaction that is under way on a connection. Its first failure is remembered, whoever has caught it.
    final class PostgresTransaction {
        /// What a transaction is begun for.
        enum Purpose: String {
            /// One state of the data, without later writes.
            case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            /// The writes of one account, whose row is locked first: each statement sees what was committed before.
            case records = "BEGIN ISOLATION LEVEL READ COMMITTED"
            /// Accounts and tokens, as if nobody else wrote.
            case accounts = "BEGIN ISOLATION LEVEL SERIALIZABLE"

            /// Whether the transaction is to be run again after that.
            ///
            /// Of two who take the same e-mail address at once, one is told of the other's row: he looks again.
            func isConflict(_ error: PostgresError) -> Bool {
                error.isConflict || (self == .accounts && error.sqlState == PostgresError.uniqueViolation)
            }
        }

        private let connection: PostgresConnection
        private let purpose: Purpose
        /// How many statements were to change something.
        private(set) var writes = 0
        private(set) var failure: PostgresError?

        private init(_ connection: PostgresConnection, _ purpose: Purpose) {
            self.connection = connection
            self.purpose = purpose
        }

        /// Runs the body in a transaction, once. What the body throws undoes it.
        static func run<Value>(
            on connection: PostgresConnection, for purpose: Purpose, _ body: (PostgresTransaction) throws -> Value
        ) throws -> Value {
            let transaction = PostgresTransaction(connection, purpose)
            do {
                try transaction.noting { () throws(PostgresError) in try connection.send(purpose.rawValue) }
                let value = try body(transaction)
                try transaction.commit()
                return value
            } catch {
                connection.rollBack()
                throw transaction.failure ?? error
            }
        }

        /// What a statement answers. Before that, all writes are carried out that were sent.
        func query(_ sql: String, _ parameters: [PostgresValue] = []) throws -> PostgresRows {
            try noting { () throws(PostgresError) in try connection.query(sql, parameters) }
        }

        /// Writes, and waits for what was written.
        func change(_ sql: String, _ parameters: [PostgresValue] = []) throws -> PostgresRows {
            writes += 1
            return try query(sql, parameters)
        }

        /// Writes with the next statement that is waited for, which throws what goes wrong here.
        ///
        /// - Parameter rows: How many rows must be written; nil for any number. Where there are fewer, others were in the
        ///   way.
        func write(_ sql: String, _ parameters: [PostgresValue] = [], rows: Int? = nil) throws {
            writes += 1
            try noting { () throws(PostgresError) in try connection.sendQuery(sql, parameters, writing: rows) }
        }

        private func commit() throws {
            if let failure { throw failure }
            if purpose == .reading {
                return try noting { () throws(PostgresError) in try connection.endReading() }
            }
            // What is lost before the commit is sent can be done again.
            try noting { () throws(PostgresError) in try connection.settle() }
            do {
                let end = try noting { () throws(PostgresError) in try connection.run("COMMIT") }
                // PostgreSQL ends a transaction in which something has failed so, and calls it no error.
                guard end.command == "COMMIT" else {
                    throw PostgresError(
                        sqlState: "40001", message: "the transaction was not committed: \(end.command)")
                }
            } catch let error as PostgresError where error.isLost {
                failure?.isCommitUnknown = true
                throw error
            }
        }

        private func noting<Value>(_ work: () throws(PostgresError) -> Value) throws(PostgresError) -> Value {
            do {
                return try work()
            } catch {
                failure = failure ?? error
                throw error
            }
        }
    }
#endif
