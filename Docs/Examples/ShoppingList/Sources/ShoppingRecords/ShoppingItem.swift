public import TrendyDomain

/// A line of a shopping list.
///
/// There is no flag for a deleted item: deletion is what the engine's `delete` does. It removes the item here at
/// once, tells the server later, and keeps the item from coming back meanwhile.
public struct ShoppingItem: SyncEntity {
    /// A UUID of version 7, made by the device that made the item.
    public var id: String
    /// What to buy, in at most 100 characters.
    public var name: String
    /// How many to buy, 1 to 999.
    public var quantity: Int
    /// What to mind, in at most 500 characters.
    public var note: String?
    /// Whether it has been bought.
    public var isPurchased: Bool

    /// Makes an item that is still to be bought, unless said otherwise.
    public init(id: String, name: String, quantity: Int = 1, note: String? = nil, isPurchased: Bool = false) {
        self.id = id
        self.name = name
        self.quantity = quantity
        self.note = note
        self.isPurchased = isPurchased
    }

    public static let entityType: EntityType = "shopping_item"
    public static let fields = CodingKeys.allCases.map(\.stringValue)

    /// The names on the wire, which are the names of the columns too.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, quantity, note
        case isPurchased = "is_purchased"
    }

    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireText(name, "name", max: 100)
        checks.requireRange(Double(quantity), "quantity", 1...999)
        checks.requireLength(note, "note", max: 500)
        try checks.throwIfAny(for: Self.entityType)
    }
}
