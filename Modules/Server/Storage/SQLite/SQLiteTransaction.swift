import Foundation
import GRDB
import TrendyDomain

/// One transaction on a SQLite database. Statements are prepared once a connection.
struct SQLiteTransaction: ServerTransaction {
    let database: Database

    func execute(_ sql: String, _ arguments: StatementArguments) throws {
        let statement = try database.cachedStatement(sql: sql)
        try statement.execute(arguments: arguments)
    }

    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ type: Value.Type, _ sql: String, _ arguments: StatementArguments
    ) throws -> Value? {
        try Value.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ type: Value.Type, _ sql: String, _ arguments: StatementArguments
    ) throws -> [Value] {
        try Value.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Data {
    /// JSON is kept as TEXT, so that the database can be looked at with any tool.
    var text: String { String(decoding: self, as: UTF8.self) }
}
