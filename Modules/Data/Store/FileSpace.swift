import GRDB

/// Gives pages that nothing needs any more back to the file system, a bounded number with each save.
///
/// SQLite keeps them in the file for later. After a large import was sent they are half of the file.
enum FileSpace {
    /// How many free pages stay in the file, for later writes.
    private static let spare = 128
    /// How many pages one save gives back at most. Moving them takes some hundredths of a second.
    private static let most = 2_048

    /// Shortens the file within the transaction that is about to end.
    ///
    /// - Parameter inBulk: Whether more pages are about to become free. Then it waits longer, because pages at the end
    ///   of the file would be moved that become free soon.
    static func giveBack(_ database: Database, inBulk: Bool) throws {
        let free = try number("freelist_count", database)
        if free <= spare { return }
        if try number("page_count", database) >= free * (inBulk ? 8 : 32) { return }
        try database.run("PRAGMA incremental_vacuum(\(most))")
    }

    private static func number(_ pragma: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database.prepared("PRAGMA \(pragma)")) ?? 0
    }
}
