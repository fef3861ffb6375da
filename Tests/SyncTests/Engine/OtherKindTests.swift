import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A kind whose records are each other's parents; only these tests know it.
struct Folder: SyncEntity {
    static let entityType: EntityType = "folder"
    static let fields = ["id", "parent_id", "name"]
    static let parents = [ParentReference(field: "parent_id", entityType: "folder", onDelete: .cascade)]
    var id: String
    var parentId: String?
    var name = "new"

    enum CodingKeys: String, CodingKey {
        case id, name
        case parentId = "parent_id"
    }
}

@Suite("A kind of record that the engine has never heard of")
struct OtherKindTests {
    private let a: Device
    private let b: Device

    init() throws {
        let server = ExchangeServer(schema: try EntitySchema([Folder.self]))
        (a, b) = (Device(server, seed: 1), Device(server, seed: 2))
    }

    @Test("is created, edited, deleted and received like any other")
    func roundTrip() async throws {
        var folder = Folder(id: freshId())
        try await a.engine.create(folder)
        await a.sync()
        await b.sync()
        #expect(try b.find(Folder.self, folder.id) == folder)
        folder.name = "two"
        try await b.engine.update(folder)
        await b.sync()
        await a.sync()
        #expect(try a.find(Folder.self, folder.id) == folder)
        try await a.engine.delete(Folder.self, id: folder.id)
        await a.sync()
        await b.sync()
        #expect(try b.find(Folder.self, folder.id) == nil)
    }

    @Test(
        "goes out generation by generation in one sync where its records are each other's parents, and goes as a whole")
    func generations() async throws {
        var parent: String?
        for _ in 0..<5 { parent = try await a.engine.create(Folder(id: freshId(), parentId: parent)).id }
        let report = await a.sync()
        #expect(report.pushed == 5 && report.pending == 0 && report.parked == 0)
        await b.sync()
        let root = try #require(try b.all(Folder.self).first { $0.parentId == nil })
        try await b.engine.delete(Folder.self, id: root.id)
        #expect(try b.all(Folder.self).isEmpty)
        try await b.engine.dropMutation(id: try #require(try b.mutation(of: root.id)).id)
        #expect(try b.all(Folder.self).count == 5)
        try await b.engine.delete(Folder.self, id: root.id)
        #expect(await b.sync().pushed == 1)
        await a.sync()
        #expect(try a.all(Folder.self).isEmpty && a.server.records(of: Folder.entityType).isEmpty)
    }
}
