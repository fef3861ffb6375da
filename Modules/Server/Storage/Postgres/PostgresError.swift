#if Postgres
    import CPostgres

    /// What PostgreSQL, or the connection to it, has refused.
    struct PostgresError: Error, Sendable, CustomStringConvertible {
        /// The five characters by which PostgreSQL names an error; nil where it is the connection that failed.
        var sqlState: String?
        /// What PostgreSQL or libpq says, on one line.
        var message: String
        /// The connection is not good for anything any more.
        var isLost = false
        /// The connection was lost after COMMIT was sent: nobody knows whether the transaction is kept.
        var isCommitUnknown = false

        var description: String { sqlState.map { "\(message) (SQLSTATE \($0))" } ?? message }

        /// All connections of the pool are in use.
        static let busy = PostgresError(
            sqlState: "53300", message: "all connections of this server to the database are in use")

        /// Another account has taken a record's id since it was looked for.
        static let overtaken = PostgresError(sqlState: "40001", message: "a record's id was taken meanwhile")

        /// A statement was sent behind one that has failed.
        static let skipped = PostgresError(sqlState: "25P02", message: "a statement before this one has failed")

        /// Another transaction was in the way: the whole of this one is to be run again.
        var isConflict: Bool { sqlState == "40001" || sqlState == "40P01" }

        /// What clients are told; nil for what is a fault of the server.
        var problem: ServerProblem? {
            if isCommitUnknown {
                return ServerProblem(
                    .unavailable,
                    "the server's database went away during the write, which may have been kept; send it again with its key",
                    retryAfter: 1, cause: description)
            }
            if isConflict || sqlState == Self.uniqueViolation {
                return ServerProblem(
                    .unavailable, "others write the same just now; try again", retryAfter: 1, cause: description)
            }
            if isLost || sqlState == nil {
                return ServerProblem(
                    .unavailable, "the server's database cannot be reached; try again", retryAfter: 5,
                    cause: description)
            }
            if Self.passing.contains(where: { sqlState?.hasPrefix($0) == true }) {
                return ServerProblem(
                    .unavailable, "the server's storage is busy or full; try again", retryAfter: 5, cause: description)
            }
            return nil
        }

        static let uniqueViolation = "23505"
        /// Out of disk, memory or connections; a lock or statement that took too long; a failing disk.
        private static let passing = ["53", "55P03", "57014", "58"]
        /// The server shuts down, crashes or starts; the connection fails; a standby is no place for writes.
        private static let losing = ["57P0", "08", "25006"]
    }

    extension StoreFault {
        init(_ error: PostgresError) {
            let reason =
                error.isLost || error.sqlState == nil
                ? "the database cannot be reached"
                : error.sqlState?.hasPrefix("53") == true
                    ? "the database is full or busy" : "the database cannot be used"
            self.init(reason, cause: "\(error)")
        }
    }

    extension PostgresError {
        /// Why a connection could not be made, or why it failed.
        init(connection handle: OpaquePointer?) {
            self.init(message: Self.line(PQerrorMessage(handle)), isLost: true)
        }

        /// Why a statement has failed.
        init(result: OpaquePointer?, of handle: OpaquePointer) {
            let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
            let primary = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
            self.init(sqlState: state, message: Self.line(primary ?? PQerrorMessage(handle)))
            // What has no state was not said by PostgreSQL: libpq could not send or read.
            isLost =
                state == nil || PQstatus(handle) == CONNECTION_BAD
                || Self.losing.contains { state?.hasPrefix($0) == true }
            // CockroachDB's word for an end that nobody knows.
            isCommitUnknown = state == "40003"
        }

        /// The first line: the others guess at reasons.
        private static func line(_ text: UnsafePointer<CChar>?) -> String {
            let lines = text.map { String(cString: $0) }?.split(whereSeparator: \.isNewline) ?? []
            return lines.first.map(String.init) ?? "the connection to the database failed"
        }
    }
#endif
