import GRDB
public import TrendyDomain

extension LocalStoreFactory {
    /// Looks through the whole file for damage: pages, rows and indexes.
    ///
    /// It reads everything, so it takes the longer the larger the store is, and changes nothing.
    ///
    /// - Returns: The first faults that SQLite names; empty where the store is whole.
    /// - Throws: ``StoreError`` where the file cannot be opened, or is damaged so badly that it cannot be looked
    ///   through.
    @concurrent
    public func checkIntegrity() async throws(StoreError) -> [String] {
        let answers = try pool.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
        return answers == ["ok"] ? [] : answers
    }
}
