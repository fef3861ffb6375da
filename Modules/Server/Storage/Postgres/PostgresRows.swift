#if Postgres
    import CPostgres
    import Foundation
    import TrendyDomain

    /// What a statement has answered, copied from libpq's memory.
    struct PostgresRows: Sendable {
        /// How many rows there are.
        let count: Int
        /// How many rows the statement has written.
        let written: Int
        /// The name of what was done, as in "COMMIT".
        let command: String
        private let columns: Int
        private let bytes: [UInt8]
        /// Where each cell lies in the bytes; nil for NULL.
        private let cells: [Range<Int>?]

        /// Of nothing that was asked.
        static let none = PostgresRows()

        private init() { (count, written, command, columns, bytes, cells) = (0, 0, "", 0, [], []) }

        /// - Parameter result: In binary form.
        init(_ result: OpaquePointer) {
            (count, columns) = (Int(PQntuples(result)), Int(PQnfields(result)))
            written = Int(String(cString: PQcmdTuples(result))) ?? 0
            command = String(cString: PQcmdStatus(result))
            var (bytes, cells): ([UInt8], [Range<Int>?]) = ([], [])
            cells.reserveCapacity(count * columns)
            for row in 0..<Int32(count) {
                for column in 0..<Int32(columns) {
                    guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else {
                        cells.append(nil)
                        continue
                    }
                    let start = bytes.count
                    bytes.append(
                        contentsOf: UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column))))
                    cells.append(start..<bytes.count)
                }
            }
            (self.bytes, self.cells) = (bytes, cells)
        }

        /// Makes a value of each row.
        func map<Value>(_ body: (Row) throws -> Value) rethrows -> [Value] {
            try (0..<count).map { try body(Row(rows: self, first: $0 * columns)) }
        }

        var first: Row? { count > 0 ? Row(rows: self, first: 0) : nil }

        /// One row, whose columns are counted from 0.
        struct Row {
            fileprivate let rows: PostgresRows
            fileprivate let first: Int

            private func cell(_ column: Int) -> ArraySlice<UInt8>? { rows.cells[first + column].map { rows.bytes[$0] } }

            /// A whole number of any width.
            func optionalNumber(_ column: Int) -> Int64? {
                guard let cell = cell(column), let first = cell.first else { return nil }
                return cell.reduce(first < 0x80 ? 0 : -1) { $0 << 8 | Int64($1) }
            }

            func number(_ column: Int) -> Int64 { optionalNumber(column) ?? 0 }

            func time(_ column: Int) -> Timestamp { Timestamp(milliseconds: number(column)) }

            func optionalText(_ column: Int) -> String? { cell(column).map { String(decoding: $0, as: UTF8.self) } }

            func text(_ column: Int) -> String { optionalText(column) ?? "" }

            func data(_ column: Int) -> Data? { cell(column).map { Data($0) } }

            func id(_ column: Int) -> String { data(column).map { PostgresKey.text(ofId: $0) } ?? "" }
        }
    }
#endif
