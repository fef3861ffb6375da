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
                try transaction.command(purpose.rawValue)
                let value = try body(transaction)
                try transaction.commit()
                return value
            } catch {
                // Where that fails, the connection is not used again.
                _ = try? connection.run("ROLLBACK")
                throw transaction.failure ?? error
            }
        }

        func query(_ sql: String, _ parameters: [PostgresValue] = []) throws -> PostgresRows {
            try noting { () throws(PostgresError) in try connection.query(sql, parameters) }
        }

        /// Ends the attempt, because others have written meanwhile what it was about to write.
        func fail(_ message: String) -> PostgresError {
            let error = PostgresError(sqlState: "40001", message: message)
            failure = failure ?? error
            return error
        }

        /// Carries something out, and nothing of it where it throws; then the transaction goes on.
        ///
        /// - Throws: What the body threw. Where that is the end of the whole transaction, `failure` says so.
        func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
            try command("SAVEPOINT job")
            do {
                let value = try body()
                if let failure { throw failure }
                try command("RELEASE SAVEPOINT job")
                return value
            } catch {
                let cause = failure ?? error
                if failure?.endsTransaction == true { throw cause }
                failure = nil
                try command("ROLLBACK TO SAVEPOINT job")
                throw cause
            }
        }

        private func commit() throws {
            if let failure { throw failure }
            do {
                let end = try noting { () throws(PostgresError) in try connection.run("COMMIT") }
                // PostgreSQL ends a transaction in which something has failed so, and calls it no error.
                guard end.command == "COMMIT" else { throw fail("the transaction was not committed: \(end.command)") }
            } catch let error as PostgresError where error.isLost && purpose != .reading {
                failure?.isCommitUnknown = true
                throw error
            }
        }

        private func command(_ sql: String) throws {
            _ = try noting { () throws(PostgresError) in try connection.run(sql) }
        }

        private func noting(_ work: () throws(PostgresError) -> PostgresRows) throws(PostgresError) -> PostgresRows {
            do {
                return try work()
            } catch {
                failure = failure ?? error
                throw error
            }
        }
    }
#endif
