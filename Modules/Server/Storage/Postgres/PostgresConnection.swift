#if Postgres
    import CPostgres
    import Foundation
    import Synchronization

    /// A connection to the database. One thread at a time uses it; its statements are prepared once.
    final class PostgresConnection: Sendable {
        fileprivate struct State {
            let handle: OpaquePointer
            /// The names of the statements that are prepared, by their SQL.
            var prepared: [String: String] = [:]
            var isLost = false
        }

        private let state: Mutex<State>

        /// Connects, and sets what all transactions want.
        init(_ database: PostgresURL) throws(PostgresError) {
            guard let handle = PQconnectdb(database.conninfo) else { throw PostgresError(connection: nil) }
            guard PQstatus(handle) == CONNECTION_OK else {
                let error = PostgresError(connection: handle)
                PQfinish(handle)
                throw error
            }
            // By itself libpq writes notices to standard error.
            PQsetNoticeProcessor(handle, { _, _ in }, nil)
            state = Mutex(State(handle: handle))
            _ = try query(Self.settings)
        }

        deinit { state.withLock { PQfinish($0.handle) } }

        /// Whether it can be used again.
        var isUsable: Bool { state.withLock { !$0.isLost && PQtransactionStatus($0.handle) == PQTRANS_IDLE } }

        /// Carries out a command that is no query, such as BEGIN.
        @discardableResult
        func run(_ sql: String) throws(PostgresError) -> PostgresRows {
            try state.withLock { state throws(PostgresError) in
                try state.rows(PQexec(state.handle, sql))
            }
        }

        /// Carries out a statement that is prepared at its first use.
        func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresRows {
            try state.withLock { state throws(PostgresError) in try state.query(sql, parameters) }
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

    extension PostgresConnection.State {
        fileprivate mutating func notifications(waiting seconds: Double) throws(PostgresError) -> [String] {
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&socket, 1, Int32(seconds * 1000))
            guard PQconsumeInput(handle) == 1 else {
                isLost = true
                throw PostgresError(connection: handle)
            }
            var payloads: [String] = []
            while let notification = PQnotifies(handle) {
                payloads.append(String(cString: notification.pointee.extra))
                PQfreemem(notification)
            }
            return payloads
        }

        fileprivate mutating func query(
            _ sql: String, _ parameters: [PostgresValue]
        ) throws(PostgresError) -> PostgresRows {
            let name: String
            if let known = prepared[sql] {
                name = known
            } else {
                name = "s\(prepared.count)"
                _ = try rows(PQprepare(handle, name, sql, 0, nil))
                prepared[sql] = name
            }
            return try rows(execute(name, parameters))
        }

        private func execute(_ name: String, _ parameters: [PostgresValue]) -> OpaquePointer? {
            var (bytes, places): ([UInt8], [Int?]) = ([], [])
            for parameter in parameters {
                places.append(parameter.bytes == nil ? nil : bytes.count)
                bytes += parameter.bytes ?? []
            }
            // An empty value has an address as well: no address is NULL.
            bytes.append(0)
            let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
            let binary = parameters.map { _ in Int32(1) }
            return bytes.withUnsafeBytes { buffer in
                let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                let values = places.map { place in place.flatMap { start?.advanced(by: $0) } }
                return PQexecPrepared(handle, name, Int32(parameters.count), values, lengths, binary, 1)
            }
        }

        /// What a result holds, which is given back to libpq.
        fileprivate mutating func rows(_ result: OpaquePointer?) throws(PostgresError) -> PostgresRows {
            defer { PQclear(result) }
            let status = PQresultStatus(result)
            guard let result, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
                let error = PostgresError(result: result, of: handle)
                if error.isLost { isLost = true }
                throw error
            }
            return PostgresRows(result)
        }
    }
#endif
