#if Postgres
    import Dispatch
    import Synchronization

    /// At most so many connections, each used by one thread at a time. A broken one is thrown away, and the next use
    /// makes a new one.
    final class PostgresPool: Sendable {
        /// Seconds that a thread waits for a connection that is in use.
        private static let patience = 10.0

        let database: PostgresURL
        let connections: StoreConnections
        private let places: DispatchSemaphore
        private let idle = Mutex<[PostgresConnection]>([])

        init(_ database: PostgresURL, size: Int) {
            self.database = database
            connections = StoreConnections("all", size: size)
            places = DispatchSemaphore(value: size)
        }

        /// Runs the body with a connection that nobody else uses meanwhile.
        func withConnection<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
            try connections.count { try withPlace(body) }
        }

        private func withPlace<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
            guard places.wait(timeout: .now() + Self.patience) == .success else { throw PostgresError.busy }
            defer { places.signal() }
            let connection = try idle.withLock { $0.popLast() } ?? PostgresConnection(database)
            defer {
                // After one is lost, the others are likely to be.
                idle.withLock { if connection.isUsable { $0.append(connection) } else { $0 = [] } }
            }
            return try body(connection)
        }
    }
#endif
