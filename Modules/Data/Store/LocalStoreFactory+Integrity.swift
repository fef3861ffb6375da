import GRDB
public import TrendyDomain

extension LocalStoreFactory {
    /// Looks through the whole file for damage: pages, rows and indexes, and rows that refer to one that is missing
    /// where a table of somebody's own kind says that it must be there (`FOREIGN KEY`).
    ///
    /// It reads everything, so it takes the longer the larger the store is, and changes nothing.
    ///
    /// - Returns: The first faults that SQLite names; empty where the store is whole.
    /// - Throws: ``StoreError`` where the file cannot be opened, or is damaged so badly that it cannot be looked
    ///   through.
    @concurrent
    public func checkIntegrity() async throws(StoreError) -> [String] {
        try pool.read { database in
            let answers = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
            if answers != ["ok"] { return answers }
            let missing = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
                let (table, parent) = ("\(row["table"] ?? "?")", "\(row["parent"] ?? "?")")
                return "a row of \(table) refers to a row of \(parent) that is missing"
            }
            return try Array(missing)
        }
    }

    /// Looks for records that belong to one that is not here, by what their kinds say of their parents.
    ///
    /// A sync brings parents first, so there are none unless another program has changed the file.
    ///
    /// - Throws: ``StoreError`` where the file cannot be opened, or lacks a table.
    @concurrent
    public func checkReferences() async throws(StoreError) -> [DanglingReference] {
        let schema = schema
        return try pool.read { database in
            var found: [DanglingReference] = []
            for type in schema.types {
                for parent in type.parents where schema.type(for: parent.entityType) != nil {
                    let sql = RecordTable.countDangling(type.entityType, parent)
                    let count = try Int.fetchOne(database, sql: sql) ?? 0
                    if count == 0 { continue }
                    found.append(DanglingReference(entityType: type.entityType, reference: parent, count: count))
                }
            }
            return found
        }
    }

    /// Compares the numbers of records and changes that the store keeps with what is there.
    ///
    /// They change with each write, in its transaction, so they differ only if another program has changed the file.
    /// ``recount()`` mends them.
    ///
    /// - Throws: ``StoreError`` where the file cannot be opened, or lacks a table.
    @concurrent
    public func checkCounts() async throws(StoreError) -> [StoreCountDifference] {
        let types = schema.types.map { $0.entityType }
        return try pool.readSnapshot { try StoreCounts.differences($0, types) }
    }

    /// Counts all records and changes anew.
    ///
    /// - Throws: ``StoreError``.
    @concurrent
    public func recount() async throws(StoreError) {
        let types = schema.types.map { $0.entityType }
        try pool.read { database in
            try database.inTransaction(.immediate) {
                try StoreCounts.recount(database, types)
                return .commit
            }
        }
    }

    /// The name of the newest step that the store has been through.
    ///
    /// - Throws: ``StoreError`` where the file cannot be opened.
    public func schemaVersion() throws(StoreError) -> String {
        try pool.read { try String.fetchOne($0, sql: StoreMigrator.newestStep) } ?? "none"
    }
}

/// A number that the store keeps, and that is not what is there.
public struct StoreCountDifference: Sendable, Hashable {
    /// What is counted.
    public enum Subject: Sendable, Hashable {
        /// The records of a kind.
        case records(EntityType)
        /// The changes in a state.
        case changes(MutationState.Name)
    }

    /// What is counted wrongly.
    public var subject: Subject
    /// The number that is kept; nil where there is none.
    public var kept: Int?
    /// How many there are.
    public var counted: Int
}

/// Records that refer to one that is not here.
public struct DanglingReference: Sendable, Hashable {
    /// The kind of the records.
    public var entityType: EntityType
    /// The field that refers to the missing one, and its kind.
    public var reference: ParentReference
    /// How many records there are.
    public var count: Int
}
