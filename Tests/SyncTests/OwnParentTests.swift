import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A kind whose records are each other's parents; only these tests know it.
struct Folder: SyncEntity {
    static let entityType: EntityType = "folder"
    static let fields = ["id", "parent_id"]
    static let parents = [ParentReference(field: "parent_id", entityType: "folder", onDelete: .cascade)]
    var id: String
    var parentId: String?

    enum CodingKeys: String, CodingKey {
        case id
        case parentId = "parent_id"
    }
}

@Suite("Records that are parents of their own kind")
struct OwnParentTests {
    @Test("go out generation by generation in one sync")
    func generations() async throws {
        let schema = try EntitySchema([Folder.self])
        let device = Device(MockNetworkClient(schema: schema), schema: schema)
        var parent: String?
        for _ in 0..<5 {
            let folder = try await device.engine.create(Folder(id: freshId(), parentId: parent))
            parent = folder.id
        }
        let report = await device.engine.performSync()
        #expect(report.pushed == 5 && report.pending == 0 && report.parked == 0)
    }
}
