#if Postgres
    import CPostgres
    import Foundation

    /// Statements on their way to the database, and those whose answers are still to be read.
    struct PostgresPipeline {
        /// What was sent, and what its answer is to be.
        private enum Sent {
            case preparation(sql: String)
            /// With the number of rows that it must write, where that matters.
            case statement(rows: Int?)
            /// Where PostgreSQL sends all answers, and goes on after a failure.
            case mark
        }

        private let handle: OpaquePointer
        /// The names of the statements that are prepared, by their SQL.
        private var prepared: [String: String] = [:]
        private var names = 0
        private var sent: [Sent] = []
        private var isLost = false

        /// - Parameter handle: A connection in pipeline mode.
        init(handle: OpaquePointer) { self.handle = handle }

        func close() { PQfinish(handle) }

        /// Whether no transaction is under way, or the end of one was sent.
        var isUsable: Bool {
            if isLost { return false }
            if case .mark? = sent.last { return true }
            return sent.isEmpty && PQtransactionStatus(handle) == PQTRANS_IDLE
        }

        /// Sends a command that is used once.
        mutating func send(_ sql: String) throws(PostgresError) {
            try check(PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1))
            sent.append(.statement(rows: nil))
        }

        /// Sends a statement, which is prepared at its first use.
        mutating func send(
            _ sql: String, _ parameters: [PostgresValue], writing rows: Int? = nil
        ) throws(PostgresError) {
            let name = prepared[sql] ?? "s\(names)"
            if prepared[sql] == nil {
                try check(PQsendPrepare(handle, name, sql, 0, nil))
                sent.append(.preparation(sql: sql))
                prepared[sql] = name
                names += 1
            }
            try check(sendPrepared(name, parameters))
            sent.append(.statement(rows: rows))
        }

        /// Has PostgreSQL answer everything that was sent.
        mutating func mark() throws(PostgresError) {
            try check(PQpipelineSync(handle))
            sent.append(.mark)
        }

        /// Waits for all answers, of which it gives the last.
        ///
        /// - Throws: The first failure.
        mutating func answer() throws(PostgresError) -> PostgresRows {
            if case .mark? = sent.last {} else { try mark() }
            var (rows, failure) = (PostgresRows.none, PostgresError?.none)
            for one in sent {
                do {
                    rows = try read(one) ?? rows
                } catch {
                    failure = failure ?? error
                }
            }
            sent = []
            if let failure { throw failure }
            return rows
        }

        /// What was notified, waited for at most so long.
        mutating func notifications(waiting seconds: Double) throws(PostgresError) -> [String] {
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            _ = poll(&socket, 1, Int32(seconds * 1000))
            try check(PQconsumeInput(handle))
            var payloads: [String] = []
            while let notification = PQnotifies(handle) {
                payloads.append(String(cString: notification.pointee.extra))
                PQfreemem(notification)
            }
            return payloads
        }

        /// - Parameter success: 1, or libpq could not send or read.
        private mutating func check(_ success: Int32) throws(PostgresError) {
            guard success == 1 else {
                isLost = true
                throw PostgresError(connection: handle)
            }
        }

        private func sendPrepared(_ name: String, _ parameters: [PostgresValue]) -> Int32 {
            var (bytes, places): ([UInt8], [Int?]) = ([], [])
            bytes.reserveCapacity(parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
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
                return PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, binary, 1)
            }
        }

        /// Reads the answer to one thing that was sent; nil where it has no rows.
        private mutating func read(_ one: Sent) throws(PostgresError) -> PostgresRows? {
            switch one {
            case .mark:
                let result = PQgetResult(handle)
                defer { PQclear(result) }
                guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw failure(result) }
                return nil
            case .preparation(let sql):
                do {
                    _ = try rows()
                    return nil
                } catch {
                    prepared[sql] = nil
                    throw error
                }
            case .statement(let wanted):
                let rows = try rows()
                if let wanted, rows.written != wanted { throw .overtaken }
                return rows
            }
        }

        /// What a result holds, which is given back to libpq. A statement has one result, and then an end.
        private mutating func rows() throws(PostgresError) -> PostgresRows {
            var (rows, error) = (PostgresRows?.none, PostgresError?.none)
            while let result = PQgetResult(handle) {
                defer { PQclear(result) }
                let status = PQresultStatus(result)
                if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
                    rows = PostgresRows(result)
                } else {
                    error = error ?? failure(result)
                }
            }
            if let error { throw error }
            guard let rows else { throw failure(nil) }
            return rows
        }

        private mutating func failure(_ result: OpaquePointer?) -> PostgresError {
            guard let result else {
                isLost = true
                return PostgresError(connection: handle)
            }
            if PQresultStatus(result) == PGRES_PIPELINE_ABORTED { return .skipped }
            let error = PostgresError(result: result, of: handle)
            if error.isLost { isLost = true }
            return error
        }
    }
#endif
