import Foundation
import GRDB

extension Database {
    /// Not `[DatabaseValue]`, which GRDB takes apart by a key path.
    typealias Values = [(any DatabaseValueConvertible)?]

    /// What a transaction is begun for.
    enum TransactionPurpose: String {
        case reading = "BEGIN DEFERRED"
        case writing = "BEGIN IMMEDIATE"
    }

    /// Carries something out in one transaction, and nothing of it where it throws.
    ///
    /// The statements around it are prepared once, as those in it are: to compile one, GRDB sets its authorizer
    /// anew, on which SQLite lets every prepared statement of the connection expire.
    func transaction<Value>(for purpose: TransactionPurpose, _ body: () throws -> Value) throws -> Value {
        try run(purpose.rawValue)
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // SQLite may have rolled back by itself; then there is nothing to do.
            try? rollback()
            throw error
        }
    }

    /// Carries something out within a transaction that goes on, and nothing of it where it throws.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try run("SAVEPOINT job")
        do {
            let value = try body()
            try run("RELEASE job")
            return value
        } catch {
            // SQLite may have rolled everything back by itself.
            try? run("ROLLBACK TO job")
            try? run("RELEASE job")
            throw error
        }
    }

    func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Tells each row of an answer.
    func rows(_ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        while let row = try rows.next() { try body(row) }
    }

    /// Tells each row of the answer about a set of values, hundreds with each statement.
    ///
    /// - Parameter sql: Makes the statement of the list of question marks.
    func rows(
        about values: Values, before: Values = [], _ sql: (String) -> String,
        _ body: (Row) throws -> Void
    ) throws {
        for start in stride(from: 0, to: values.count, by: 256) {
            let some = values[start..<min(start + 256, values.count)]
            let size = [1, 8, 64, 256].first { $0 >= some.count } ?? 256
            // A list of one of few lengths, so that few statements are prepared: its last value stands there again.
            let padding = repeatElement(some.last ?? nil, count: size - some.count)
            let marks = repeatElement("?", count: size).joined(separator: ",")
            try rows(sql(marks), StatementArguments(before + some + padding), body)
        }
    }

    /// Inserts rows, many with each statement.
    ///
    /// - Parameters:
    ///   - head: The statement up to its values.
    ///   - values: The columns of all rows, one row after the other.
    ///   - tail: The statement after its values.
    func insert(_ head: String, columns: Int, _ values: Values, _ tail: String = "") throws {
        let row = "(" + repeatElement("?", count: columns).joined(separator: ",") + ")"
        var start = 0
        while start < values.count {
            let left = (values.count - start) / columns
            let size = left >= 64 ? 64 : left >= 8 ? 8 : 1
            let sql = head + repeatElement(row, count: size).joined(separator: ",") + tail
            try run(sql, StatementArguments(values[start..<start + size * columns]))
            start += size * columns
        }
    }
}
