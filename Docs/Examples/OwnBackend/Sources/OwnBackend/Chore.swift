public import TrendyDomain

/// Something to do in the house.
///
/// Its fields have the names that this device gives them; what the backend calls them is the business of the routes.
public struct Chore: SyncEntity {
    public var id: String
    public var title: String
    /// How long it takes, where that is known.
    public var minutes: Int?
    public var isDone: Bool

    /// Makes a chore that is still to be done, unless said otherwise.
    public init(id: String, title: String, minutes: Int? = nil, isDone: Bool = false) {
        self.id = id
        self.title = title
        self.minutes = minutes
        self.isDone = isDone
    }

    public static let entityType: EntityType = "chore"
    public static let fields = CodingKeys.allCases.map(\.stringValue)

    /// The names in the store, and in what the engine says.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id, title, minutes
        case isDone = "is_done"
    }
}
