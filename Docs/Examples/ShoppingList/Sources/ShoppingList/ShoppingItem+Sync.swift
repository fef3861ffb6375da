import ShoppingRecords
import TrendyData
import TrendyDomain

// All that store and client must know of the item: one migration and one route.

extension EntitySchema {
    /// The kinds of record of the shopping list.
    static func shopping() throws -> EntitySchema { try EntitySchema([ShoppingItem.self]) }
}

extension StoreMigration {
    /// The table of the items. A later change of the item is a further step, not a change of this one.
    static let shoppingItems = StoreMigration("shopping_item-1") {
        try $0.createTable(
            for: ShoppingItem.self,
            [.text("name"), .integer("quantity"), .text("note"), .boolean("is_purchased")])
    }
}

extension RouteTable {
    /// Where the shopping server has the items.
    static let shopping = RouteTable(records: [
        ShoppingItem.entityType: RecordRoutes(
            path: "/shopping-items",
            batch: RecordRoutes.Batch(path: "/shopping-items/batch", key: "shopping_items", limit: 500))
    ])
}
