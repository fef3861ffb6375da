import Foundation
import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("Migrations of the store")
struct StoreMigrationTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("trendy.sqlite")
    }

    private func execute(_ sql: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
    }

    /// Makes a store with an event in it, whose file is whole without its log.
    private func makeStore() throws {
        try LocalStoreFactory(path: path).saving { try $0.upsertEvent(id: "e1") { $0.notes = "note" } }
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func shape() throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            let sql = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name"
            return try String.fetchAll(database, sql: sql).map { text in
                // ADD COLUMN and blanks may leave the same shape differently spelt.
                text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    .replacingOccurrences(of: "\"", with: "").replacingOccurrences(of: "( ", with: "(")
                    .replacingOccurrences(of: " )", with: ")")
            }
        }
    }

    @Test("a further kind gets its table in a store that has been in use")
    func furtherKind() throws {
        try makeStore()
        let schema = try EntitySchema(EntitySchema.trendy.types + [ContractItem.self])
        let factory = LocalStoreFactory(
            path: path, schema: schema, migrations: StoreMigration.trendy + [.contractItem])
        try factory.saving { try $0.upsert(LocalRecord(ContractItem(id: "a", name: "n"))) }
        #expect(try factory.makeDataStore().find(ContractItem.self, id: "a")?.entity.name == "n")
        #expect(try factory.makeDataStore().count(Event.self) == 1)
    }

    private func tables() throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            return try String.fetchAll(database, sql: sql)
        }
    }

    @Test("a store of other kinds has none of Trendy's tables, and all that the engine needs")
    func ownKinds() throws {
        let schema = try EntitySchema([ContractItem.self])
        let factory = LocalStoreFactory(path: path, schema: schema, migrations: [.contractItem])
        try factory.open()
        #expect(
            try tables() == [
                "contract_item", "sync_base", "sync_count", "sync_document", "sync_mark", "sync_metadata",
                "sync_migration",
                "sync_mutation", "sync_payload",
            ])
    }

    @Test("a kind of one's own may be called as one of Trendy's")
    func sameName() throws {
        let make = StoreMigration("concert-1") { try $0.createTable(for: Concert.self, [.text("hall")]) }
        let factory = LocalStoreFactory(path: path, schema: try EntitySchema([Concert.self]), migrations: [make])
        try factory.saving { try $0.upsert(LocalRecord(Concert(id: "a", hall: "small"))) }
        #expect(try factory.makeDataStore().find(Concert.self, id: "a")?.entity.hall == "small")
    }

    @Test("a table or a column that no migration makes is named, with what is missing")
    func forgottenShape() throws {
        let schema = try EntitySchema([Concert.self])
        let none = LocalStoreFactory(path: path, schema: schema, migrations: [])
        #expect(throws: StoreError.failed("no such table: event; a StoreMigration has to make it")) {
            try none.makeDataStore().count(Concert.self)
        }
        let bare = StoreMigration("concert-1") { try $0.createTable(for: Concert.self, []) }
        let narrow = LocalStoreFactory(path: path, schema: schema, migrations: [bare])
        #expect {
            try narrow.saving { try $0.upsert(LocalRecord(Concert(id: "a", hall: "small"))) }
        } throws: { error in
            "\(error)".contains("hall") && "\(error)".hasSuffix("; a StoreMigration has to make it")
        }
    }

    @Test("a later step adds a column to records that are there already")
    func addedColumn() throws {
        let schema = try EntitySchema([ContractItem.self])
        let narrow = StoreMigration("contract_item-1") {
            try $0.createTable(for: ContractItem.self, [.text("name"), .integer("amount"), .boolean("is_done")])
        }
        try LocalStoreFactory(path: path, schema: schema, migrations: [narrow]).open()
        let raw = try DatabaseQueue(path: path)
        try raw.write { database in
            try database.execute(
                sql: """
                    INSERT INTO contract_item (id, name, amount, is_done, sync_status) VALUES ('a', 'old', 1, 0, 'synced')
                    """)
        }
        let wide = StoreMigration("contract_item-2") { schema in
            let columns: [RecordColumn] = [
                .text("owner_id"), .real("ratio"), .timestamp("made_at"), .json("tags"), .json("sizes"),
            ]
            for column in columns { try schema.addColumn(column, to: ContractItem.entityType) }
            try schema.execute(sql: "UPDATE contract_item SET made_at = 0, tags = '[]'")
            try schema.createIndex(on: ContractItem.entityType, ["owner_id"])
        }
        let factory = LocalStoreFactory(path: path, schema: schema, migrations: [narrow, wide])
        let item = try factory.makeDataStore().find(ContractItem.self, id: "a")
        #expect(item?.entity == ContractItem(id: "a", name: "old", amount: 1))
    }

    @Test("a step can rewrite a field that becomes a reference to a parent")
    func becomesReference() throws {
        let owner = "019ab000-0000-7000-8000-000000000001"
        let schema = try EntitySchema([ContractItem.self])
        try LocalStoreFactory(path: path, schema: schema, migrations: [.contractItem]).saving {
            try $0.upsert(LocalRecord(ContractItem(id: "a", name: "n", ownerId: "none")))
        }
        try execute("UPDATE contract_item SET owner_id = '\(owner)'")
        let rewrite = StoreMigration("contract_item-2") {
            try $0.execute(sql: "UPDATE contract_item SET owner_id = trendy_id(owner_id)")
        }
        let factory = LocalStoreFactory(path: path, schema: schema, migrations: [.contractItem, rewrite])
        let condition = FieldCondition("owner_id", equals: owner)
        let found = try factory.makeDataStore().fetch(ContractItem.self, where: condition)
        #expect(found.map(\.id) == ["a"] && found.first?.entity.ownerId == owner)
    }

    @Test("a migration that fails leaves the store as it was")
    func failedMigration() throws {
        try makeStore()
        let before = try shape()
        let broken = StoreMigration("broken") { schema in
            try schema.execute(sql: "CREATE TABLE half (a)")
            try schema.execute(sql: "CREATE TABLE nonsense")
        }
        let factory = LocalStoreFactory(path: path, migrations: StoreMigration.trendy + [broken])
        #expect(throws: StoreError.self) { try factory.open() }
        #expect(try shape() == before)
        #expect(try LocalStoreFactory(path: path).makeDataStore().count(Event.self) == 1)
    }

    @Test("a store of a newer version is refused by name and left as it is")
    func newerVersion() throws {
        try makeStore()
        try execute("INSERT INTO sync_migration VALUES ('trendy-99'); PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let factory = LocalStoreFactory(path: path)
        let error = StoreError.newerVersion(found: "trendy-99", supported: "trendy-records-1")
        #expect(throws: error) { try factory.makeDataStore() }
        #expect(throws: error) { try factory.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test(
        "a store of a development version is refused with what to do, and left as it is",
        arguments: [
            ["trendy-1"], ["sync-1", "sync-2", "sync-3", "trendy-1", "trendy-2", "trendy-3"], ["sync-1", "own-1"],
            ["exchange-1", "trendy-records-1"],
        ])
    func developmentVersion(_ steps: [String]) async throws {
        try execute(
            """
            CREATE TABLE sync_migration (name TEXT PRIMARY KEY NOT NULL);
            INSERT INTO sync_migration VALUES \(steps.map { "('\($0)')" }.joined(separator: ", "));
            CREATE TABLE event (id TEXT PRIMARY KEY NOT NULL, notes TEXT);
            INSERT INTO event VALUES ('e1', 'note');
            """)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = StoreError.developmentVersion(path: path)
        #expect(throws: error) { try LocalStoreFactory(path: path).open() }
        #expect("\(error)".contains(path) && "\(error)".contains("export") && "\(error)".contains("move the file"))
        let other = LocalStoreFactory(path: folder.path("other.sqlite"))
        await #expect(throws: error) { try await other.inspectBackup(at: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("a database of another program is refused and left as it is")
    func foreignDatabase() throws {
        try execute("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org');")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect {
            try LocalStoreFactory(path: path).open()
        } throws: { error in
            if case .corrupt(let reason) = error as? StoreError { reason.contains("no store") } else { false }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
}

/// A kind of someone else's with the name of one of Trendy's.
private struct Concert: SyncEntity {
    static let entityType: EntityType = "event"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    var id: String
    var hall: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, hall
    }
}
