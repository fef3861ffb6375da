import TrendyDomain
import TrendySync

struct ShoppingItem: SyncEntity {
    static let entityType: EntityType = "shopping_item"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    var id: String
    var name: String
    var isPurchased = false

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name
        case isPurchased = "is_purchased"
    }
}

func makeEngine(client: any NetworkClientProtocol, stores: any DataStoreFactory) throws -> SyncEngine {
    SyncEngine(networkClient: client, dataStoreFactory: stores, schema: try EntitySchema([ShoppingItem.self]))
}

/// One generator per device: its ids are in the order of their creation.
let identifiers = UUIDv7Generator()

func buy(_ name: String, with engine: SyncEngine) async throws {
    try await engine.create(ShoppingItem(id: identifiers.makeId(), name: name))
    let report = await engine.performSync()
    if let problem = report.error { print("kept here, and sent later: \(problem)") }
}
