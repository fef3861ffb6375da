import GRDB
public import TrendyDomain

/// One step in the history of a store's shape.
///
/// A store remembers the names of the steps that it has been through. So a name is for ever, and a released step is
/// never changed: a later change is a new step.
///
/// Fields that refer to a parent (``SyncEntity/parents``) hold ids in a form of their own. A step in which a field
/// becomes such a reference rewrites what is there: `UPDATE kind SET field = trendy_id(field)`.
///
/// A further kind of record is one line:
///
/// ```swift
/// StoreMigration("shopping_item-1") {
///     try $0.createTable(for: ShoppingItem.self, [.text("name"), .boolean("is_purchased")])
/// }
/// ```
public struct StoreMigration: Sendable {
    /// The name under which stores remember the step; unique among all steps of a store.
    public let name: String
    let apply: @Sendable (SchemaEditor) throws -> Void

    /// Makes a step of that name.
    public init(_ name: String, _ apply: @escaping @Sendable (SchemaEditor) throws -> Void) {
        self.name = name
        self.apply = apply
    }
}

/// Changes the shape of a store, within a ``StoreMigration``.
public struct SchemaEditor {
    let database: Database

    /// Makes the table of a kind of record.
    ///
    /// - Parameters:
    ///   - columns: All fields of the kind but `id`; what the store keeps beside the fields is added.
    ///   - indexes: Lists of columns that records are looked up by, such as a reference to a parent.
    public func createTable<Entity: SyncEntity>(
        for type: Entity.Type, _ columns: [RecordColumn], indexes: [[String]] = []
    ) throws {
        try createTable(for: type.entityType, columns, indexes: indexes)
    }

    /// Adds a field to the table of a kind of record.
    ///
    /// A field that is not optional in Swift needs a value: without one, no stored record could be read any more. The
    /// server's value comes with the record's next change, or with a full resync.
    ///
    /// - Parameter value: What the records that are there have in the field, as JSON has it: a time is a string, a
    ///   flag `true` or `false`. Nil leaves it empty, as a reference to a parent must be.
    /// - Throws: `StoreError.failed` where the column cannot hold the value.
    public func addColumn(
        _ column: RecordColumn, to entityType: EntityType, default value: JSONValue? = nil
    ) throws {
        let clause = try value.map { " DEFAULT \(try column.literal($0))" } ?? ""
        let table = RecordTable.name(of: entityType).quotedForSQL
        try execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column.sql)\(clause)")
    }

    /// Makes an index on columns of a kind of record; with a condition, on those rows only.
    public func createIndex(on entityType: EntityType, _ columns: [String], where condition: String? = nil) throws {
        let table = RecordTable.name(of: entityType)
        let name = ([table] + columns).joined(separator: "_").quotedForSQL
        let list = columns.map(\.quotedForSQL).joined(separator: ", ")
        try execute(
            sql: "CREATE INDEX \(name) ON \(table.quotedForSQL) (\(list))" + (condition.map { " WHERE \($0)" } ?? ""))
    }

    /// Keeps the number of records of a kind up to date with every change, so that counting a million of them takes no
    /// longer than counting ten.
    ///
    /// Once for each kind, after its table was made.
    public func keepCount(of entityType: EntityType) throws {
        try StoreCounts.keepRecords(of: entityType, self)
    }

    /// Runs SQL statements, for what the other methods do not offer.
    public func execute(sql: String) throws {
        try database.execute(sql: sql)
    }

    func createTable(for entityType: EntityType, _ columns: [RecordColumn], indexes: [[String]] = []) throws {
        let server: [RecordColumn] = RecordTable.serverColumns.map(RecordColumn.timestamp)
        // No type: an id is bytes or text.
        let all =
            ["id PRIMARY KEY NOT NULL"] + (columns + server).map(\.sql) + [
                "sync_status TEXT NOT NULL", "revision INTEGER NOT NULL DEFAULT 0",
                "created_revision INTEGER NOT NULL DEFAULT 0", "unknown TEXT",
            ]
        let table = RecordTable.name(of: entityType).quotedForSQL
        try execute(sql: "CREATE TABLE \(table) (\(all.joined(separator: ", ")))")
        for index in indexes { try createIndex(on: entityType, index) }
    }
}
