/// What a server must know of a kind of record beyond what the kind says of itself.
public struct RecordRules<Entity: Sendable>: Sendable {
    /// The place of a record in lists of its kind.
    public var order: @Sendable (Entity) -> Int64
    /// Whether lists begin with the largest order.
    public var isDescending: Bool
    /// What a new record is recognised by as one that is there already; nil for most records.
    public var upsertKey: @Sendable (Entity) -> String?
    /// Whether lists of active records contain it.
    public var isActive: @Sendable (Entity) -> Bool
    /// The form of records that need no decoding; nil for none.
    var plainForm: PlainForm? = nil

    /// Makes rules; without any, records are listed by their ids and are all active.
    public init(
        order: @escaping @Sendable (Entity) -> Int64 = { _ in 0 }, isDescending: Bool = false,
        upsertKey: @escaping @Sendable (Entity) -> String? = { _ in nil },
        isActive: @escaping @Sendable (Entity) -> Bool = { _ in true }
    ) {
        self.order = order
        self.isDescending = isDescending
        self.upsertKey = upsertKey
        self.isActive = isActive
    }

    func recognising(_ fields: [PlainForm.Field]) -> Self {
        var rules = self
        rules.plainForm = PlainForm(fields: fields)
        return rules
    }
}
