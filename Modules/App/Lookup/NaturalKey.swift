import TrendyDomain

/// The values by which people distinguish the records of a kind.
struct NaturalKey {
    private let values: [String]

    init<Entity: SyncEntity>(_ entity: Entity) throws {
        let fields = try WireCoding.decode([String: JSONValue].self, from: WireCoding.encode(entity))
        values = Entity.naturalKey.map { fields[$0]?.stringValue ?? "" }
    }

    /// The name; the parts before it are the parents.
    var name: String { values.last ?? "" }

    /// Whether two keys are equal, ignoring case.
    func isEqual(to other: NaturalKey) -> Bool {
        values.map { $0.lowercased() } == other.values.map { $0.lowercased() }
    }
}
