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

    private func makeFixture(_ sql: String = StoreV1Fixture.sql) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
        try database.close()
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

    @Test("a store of the first release opens with everything that is in it")
    func firstRelease() throws {
        try makeFixture()
        let store = try LocalStoreFactory(path: path).makeDataStore()
        let event = try #require(try store.find(Event.self, id: "e1"))
        #expect(event.entity.properties == ["size": .number(2)])
        #expect(event.entity.timestamp.milliseconds == 1_763_600_000_123)
        #expect(event.server.updatedAt?.milliseconds == 6)
        #expect(try store.findEventType(id: "t1")?.name == "coffee")
        #expect(try store.findGeofence(id: "g1")?.notifyOnExit == true)
        let definition = try store.find(PropertyDefinition.self, id: "p1")
        #expect(definition?.entity.options == ["s", "l"])
        #expect(definition?.entity.defaultValue == "s")
        #expect(definition?.syncStatus == .failed)
        let mutation = try #require(try store.findMutation(id: 7))
        #expect(mutation.state == .parked(ParkReason(code: .rejected, message: "no")))
        #expect(mutation.payload == Data(#"{"notes":"note"}"#.utf8))
        #expect(try store.metadata("cursor") == "42")
        #expect(try store.fetchDocuments(SyncHistoryEntry.self).map(\.pulled) == [2])
    }

    @Test("a store of the first release can be written to, and gives new mutations greater ids")
    func firstReleaseWritable() throws {
        try makeFixture()
        let factory = LocalStoreFactory(path: path)
        try factory.saving { store in
            try store.upsertEvent(id: "e1") { $0.notes = nil }
            let mutation = try store.insertMutation(
                PendingMutation(
                    clientRequestId: "k", entityType: .event, operation: .update, entityId: "e1",
                    createdAt: Timestamp(milliseconds: 0)))
            #expect(mutation.id > 7)
        }
        let event = try factory.makeDataStore().findEvent(id: "e1")
        #expect(event?.notes == nil && event?.geofenceId == "g1")
    }

    @Test("a store of the first release and a new one have the same shape once opened")
    func sameShape() throws {
        try makeFixture()
        try LocalStoreFactory(path: path).open()
        let migrated = try shape()
        try FileManager.default.removeItem(atPath: path)
        try LocalStoreFactory(path: path).open()
        #expect(try shape() == migrated)
    }

    @Test("a further kind gets its table in a store that has been in use")
    func furtherKind() throws {
        try makeFixture()
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
                "contract_item", "staged_contract_item", "sync_count", "sync_document", "sync_metadata",
                "sync_migration",
                "sync_mutation",
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
        try factory.saving { try $0.stage([Remote(ContractItem(id: "b", name: "new", ownerId: "o"))]) }
    }

    @Test("a migration that fails leaves the store as it was")
    func failedMigration() throws {
        try makeFixture()
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
        try makeFixture(StoreV1Fixture.sql + "INSERT INTO sync_migration VALUES ('trendy-99');")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let factory = LocalStoreFactory(path: path)
        #expect(throws: StoreError.newerVersion(found: "trendy-99", supported: "trendy-3")) {
            try factory.makeDataStore()
        }
        #expect(throws: StoreError.newerVersion(found: "trendy-99", supported: "trendy-3")) { try factory.open() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("a database of another program is refused and left as it is")
    func foreignDatabase() throws {
        try makeFixture("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org');")
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
