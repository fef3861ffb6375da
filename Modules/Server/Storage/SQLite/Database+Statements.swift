import GRDB

extension Database {
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

    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }
}
