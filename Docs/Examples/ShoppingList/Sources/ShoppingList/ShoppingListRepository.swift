public import ShoppingRecords

/// The items of the list, as the view model sees them.
public protocol ShoppingListRepository: Sendable {
    /// All items, the oldest first. Deleted ones are not among them.
    func fetchItems() async throws -> [ShoppingItem]

    /// Puts a new item on the list.
    func add(item: ShoppingItem) async throws

    /// Changes an item; throws where it is no longer on the list, so that a stale view revives nothing.
    func save(item: ShoppingItem) async throws

    /// Takes an item off the list; throws where it is not on it.
    func deleteItem(id: String) async throws
}
