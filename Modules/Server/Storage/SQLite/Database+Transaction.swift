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
        try cachedStatement(sql: purpose.rawValue).execute()
        do {
            let value = try body()
            try cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            // SQLite may have rolled back by itself; then there is nothing to do.
            try? rollback()
            throw error
        }
    }
}
