import GRDB
import TrendyDomain

/// Numbers of rows that are kept up to date: SQLite itself counts by walking through all rows, so that `trendy status`
/// would take longer with every event.
///
/// Triggers keep them, and ``add(_:of:_:)`` does for new records. Both are part of the transaction of the change itself,
/// so that no crash and no other process can part a number from its rows.
enum StoreCounts {
    static let table = "sync_count"

    /// Makes the table of the numbers.
    static func create(_ schema: SchemaEditor) throws {
        try schema.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(table) (
                    name TEXT PRIMARY KEY NOT NULL, number INTEGER NOT NULL
                ) WITHOUT ROWID
                """)
    }

    /// Keeps how many mutations are in each state.
    static func keepMutations(_ schema: SchemaEditor) throws {
        let name = { (row: String) in "'mutation:' || \(row).state" }
        try schema.execute(
            sql: """
                \(countMutations)
                CREATE TRIGGER sync_mutation_counted AFTER INSERT ON sync_mutation BEGIN \(add(name("NEW"))) END;
                CREATE TRIGGER sync_mutation_discounted AFTER DELETE ON sync_mutation BEGIN \(remove(name("OLD"))) END;
                CREATE TRIGGER sync_mutation_recounted AFTER UPDATE OF state ON sync_mutation
                WHEN OLD.state <> NEW.state BEGIN \(remove(name("OLD"))) \(add(name("NEW"))) END;
                """)
    }

    /// Keeps how many records a kind has; new ones are added by ``add(_:of:_:)``.
    ///
    /// No trigger counts them. With one, and an index on an expression, SQLite copies each page that an insertion
    /// changes, whatever is to be done where it fails.
    static func keepRecords(of entityType: EntityType, _ schema: SchemaEditor) throws {
        let kind = RecordTable.name(of: entityType)
        let records = kind.quotedForSQL
        let name = literal(recordsName(of: entityType))
        try schema.execute(
            sql: """
                INSERT INTO \(table) SELECT \(name), count(*) FROM \(records);
                CREATE TRIGGER \((kind + "_discounted").quotedForSQL) AFTER DELETE ON \(records)
                BEGIN \(remove(name)) END;
                """)
    }

    /// Counts records that were inserted, in the same transaction.
    static func add(_ number: Int, of entityType: EntityType, _ database: Database) throws {
        if number == 0 { return }
        try database.run(
            "UPDATE \(table) SET number = number + ? WHERE name = ?",
            [number.databaseValue, recordsName(of: entityType).databaseValue])
    }

    /// The SQL of how many records a kind has.
    ///
    /// A kind whose number is not kept, because its table is older than this, has its rows counted.
    static func records(of entityType: EntityType) -> String {
        let kept = "SELECT number FROM \(table) WHERE name = \(literal(recordsName(of: entityType)))"
        return "SELECT coalesce((\(kept)), (\(counting(entityType))))"
    }

    /// The SQL of how many mutations are in one of these states.
    static func mutations(in states: Set<MutationState.Name>) -> String {
        let names = states.map { literal("mutation:" + $0.rawValue) }.sorted().joined(separator: ", ")
        return "SELECT coalesce(sum(number), 0) FROM \(table) WHERE name IN (\(names))"
    }

    /// The SQL of the state and number of all mutations.
    static let mutationsByState = """
        SELECT substr(name, length('mutation:') + 1), number FROM \(table) WHERE name GLOB 'mutation:*'
        """

    /// The numbers that are kept, beside those that SQLite finds when it counts; what is equal is left out.
    ///
    /// Of a kind whose number is not kept there is nothing to compare.
    static func differences(_ database: Database, _ types: [EntityType]) throws -> [StoreCountDifference] {
        var found: [StoreCountDifference] = []
        for type in types where try isKept(type, database) {
            let counted = try Int.fetchOne(database, sql: counting(type)) ?? 0
            let kept = try number(recordsName(of: type), database)
            if kept != counted { found.append(.init(subject: .records(type), kept: kept, counted: counted)) }
        }
        for state in MutationState.Name.allCases {
            let sql = "SELECT count(*) FROM sync_mutation WHERE state = ?"
            let counted = try Int.fetchOne(database, sql: sql, arguments: [state.rawValue]) ?? 0
            let kept = try number("mutation:" + state.rawValue, database)
            if (kept ?? 0) != counted { found.append(.init(subject: .changes(state), kept: kept, counted: counted)) }
        }
        return found
    }

    /// Counts everything anew, within a transaction.
    static func recount(_ database: Database, _ types: [EntityType]) throws {
        try database.execute(
            sql: """
                DELETE FROM \(table) WHERE name GLOB 'mutation:*';
                \(countMutations)
                """)
        for type in types where try isKept(type, database) {
            let name = literal(recordsName(of: type))
            try database.execute(sql: "INSERT OR REPLACE INTO \(table) VALUES (\(name), (\(counting(type))))")
        }
    }

    private static func isKept(_ type: EntityType, _ database: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [RecordTable.name(of: type) + "_discounted"]) ?? false
    }

    private static func number(_ name: String, _ database: Database) throws -> Int? {
        try Int.fetchOne(database, sql: "SELECT number FROM \(table) WHERE name = ?", arguments: [name])
    }

    private static func counting(_ type: EntityType) -> String {
        "SELECT count(*) FROM \(RecordTable.name(of: type).quotedForSQL)"
    }

    private static func recordsName(of entityType: EntityType) -> String { "record:" + entityType.rawValue }

    /// The SQL that makes the numbers of all states, also of those that no mutation is in.
    private static let countMutations = MutationState.Name.allCases.map { state -> String in
        let name = literal(state.rawValue)
        return "INSERT INTO \(table) SELECT 'mutation:' || \(name), count(*) FROM sync_mutation WHERE state = \(name);"
    }.joined(separator: "\n")

    // OR FAIL, here and in every statement that changes many rows or sets a trigger off: to be able to take back a part
    // of a statement, SQLite would first copy each page that it changes to a file. Nothing of a unit is saved after a
    // failure, so nothing has to be taken back.

    private static func add(_ name: String) -> String {
        "UPDATE OR FAIL \(table) SET number = number + 1 WHERE name = \(name);"
    }

    private static func remove(_ name: String) -> String {
        "UPDATE OR FAIL \(table) SET number = number - 1 WHERE name = \(name);"
    }

    private static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
}
