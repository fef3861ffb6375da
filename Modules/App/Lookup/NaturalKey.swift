import TrendyDomain

/// What people tell a record from others of its kind by.
struct NaturalKey {
    private let values: [String]

    init<Entity: SyncEntity>(_ entity: Entity) throws {
        let fields = try WireCoding.decode([String: JSONValue].self, from: WireCoding.encode(entity))
        values = Entity.naturalKey.map { fields[$0]?.stringValue ?? "" }
    }

    /// The part that is its name; those before it say where it belongs.
    var name: String { values.last ?? "" }

    /// Whether two are the same to people, whatever their case.
    func isEqual(to other: NaturalKey) -> Bool {
        values.map { $0.lowercased() } == other.values.map { $0.lowercased() }
    }
}
