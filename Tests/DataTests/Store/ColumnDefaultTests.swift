import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("A column that is added")
struct ColumnDefaultTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("tools.sqlite")
    }

    private static let first = StoreMigration("tool-1") { try $0.createTable(for: Tool.self, [.text("name")]) }

    /// A store of the first version, with a record.
    private func makeOld() throws {
        try LocalStoreFactory(path: path, schema: try EntitySchema([Tool.self]), migrations: [Self.first]).open()
        let raw = try DatabaseQueue(path: path)
        try raw.write { database in
            try database.execute(
                sql: """
                    INSERT INTO tool (id, name, sync_status) VALUES ('a', 'saw', 'synced');
                    """)
        }
        try raw.close()
    }

    private func open(_ second: @escaping @Sendable (SchemaEditor) throws -> Void) throws -> LocalStoreFactory {
        LocalStoreFactory(
            path: path, schema: try EntitySchema([Tool.self]),
            migrations: [Self.first, StoreMigration("tool-2", second)])
    }

    private static let fields: [(RecordColumn, JSONValue)] = [
        (.text("owner"), "Ann's \"own\""), (.integer("uses"), 7), (.real("weight"), 1.5), (.boolean("is_lent"), true),
        (.timestamp("made_at"), "2026-03-10T12:00:00.250Z"), (.json("tags"), ["old", "it's"]),
    ]

    @Test("with a default has it in every record that is there, and new records have their own")
    func defaults() throws {
        try makeOld()
        let factory = try open { schema in
            for (column, value) in Self.fields { try schema.addColumn(column, to: Tool.entityType, default: value) }
        }
        let old = Tool(
            id: "a", name: "saw", owner: "Ann's \"own\"", uses: 7, weight: 1.5, isLent: true,
            madeAt: Timestamp("2026-03-10T12:00:00.250Z"), tags: ["old", "it's"])
        let store = try factory.makeDataStore()
        #expect(try store.find(Tool.self, id: "a")?.entity == old)
        let new = Tool(id: "c", name: "axe", owner: "Bo", uses: 0, weight: 2, isLent: false, madeAt: nil, tags: [])
        try factory.saving { try $0.upsert(LocalRecord(new)) }
        #expect(try factory.makeDataStore().find(Tool.self, id: "c")?.entity == new)
    }

    @Test("without one is empty in the records that are there, which a field that is not optional cannot be")
    func noDefault() throws {
        try makeOld()
        let factory = try open { schema in
            for (column, _) in Self.fields { try schema.addColumn(column, to: Tool.entityType) }
        }
        #expect(throws: StoreError.self) { try factory.makeDataStore().find(Tool.self, id: "a") }
    }

    @Test(
        "refuses a default that its records could not have",
        arguments: [
            (RecordColumn.integer("uses"), JSONValue.string("7")), (.integer("uses"), 7.5), (.boolean("is_lent"), 1),
            (.timestamp("made_at"), "yesterday"), (.text("owner"), 5), (.text("owner"), .null), (.json("tags"), .null),
        ])
    func wrongDefault(column: RecordColumn, value: JSONValue) throws {
        try makeOld()
        let factory = try open { try $0.addColumn(column, to: Tool.entityType, default: value) }
        #expect {
            try factory.open()
        } throws: { error in
            "\(error)".contains("the column ") && "\(error)".contains(" values, and ")
        }
    }
}

private struct Tool: SyncEntity {
    static let entityType: EntityType = "tool"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    var id: String
    var name: String
    var owner: String
    var uses: Int
    var weight: Double
    var isLent: Bool
    var madeAt: Timestamp?
    var tags: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, owner, uses, weight, tags
        case isLent = "is_lent"
        case madeAt = "made_at"
    }
}
