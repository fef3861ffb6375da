public import ShoppingRecords
public import TrendyData
import TrendyDomain
public import TrendySync

/// The items in the device's store: reads from SQLite, writes through the engine.
///
/// The engine's writes put the item and the change that is to be sent into one save; they need no network.
public struct SQLiteShoppingListRepository: ShoppingListRepository {
    private let engine: SyncEngine
    private let reader: StoreReader

    /// Makes a repository over an engine and the store that it works on.
    public init(engine: SyncEngine, reader: StoreReader) {
        self.engine = engine
        self.reader = reader
    }

    @concurrent
    public func fetchItems() async throws -> [ShoppingItem] {
        // By id, and ids are made in the order of time.
        try reader.fetch(ShoppingItem.self).map(\.entity)
    }

    public func add(item: ShoppingItem) async throws {
        try await engine.create(item)
    }

    public func save(item: ShoppingItem) async throws {
        try await engine.update(item)
    }

    public func deleteItem(id: String) async throws {
        try await engine.delete(ShoppingItem.self, id: id)
    }
}
