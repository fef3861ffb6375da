public import ShoppingRecords
import TrendyDomain
import TrendySync

/// The items in memory, for previews and tests. It answers and refuses as the real repository does.
public actor MockShoppingListRepository: ShoppingListRepository {
    private var items: [String: ShoppingItem]

    /// Makes a repository that holds these items.
    public init(preloadedItems: [ShoppingItem] = []) {
        items = Dictionary(preloadedItems.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    public func fetchItems() -> [ShoppingItem] {
        items.values.sorted { $0.id < $1.id }
    }

    public func add(item: ShoppingItem) throws {
        try item.validate()
        guard items[item.id] == nil else {
            throw SyncEngineError.alreadyExists(entityType: ShoppingItem.entityType, id: item.id)
        }
        items[item.id] = item
    }

    public func save(item: ShoppingItem) throws {
        try item.validate()
        try requireItem(item.id)
        items[item.id] = item
    }

    public func deleteItem(id: String) throws {
        try requireItem(id)
        items[id] = nil
    }

    private func requireItem(_ id: String) throws {
        guard items[id] != nil else {
            throw SyncEngineError.notFound(entityType: ShoppingItem.entityType, id: id)
        }
    }
}
