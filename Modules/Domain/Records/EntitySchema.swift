/// The kinds of record that an engine, a store or a server knows, parents before children.
public struct EntitySchema: Sendable {
    /// The kinds, each after all kinds that it names as parents.
    public let types: [any SyncEntity.Type]

    private let ranks: [EntityType: Int]

    /// Orders the kinds by their parents.
    ///
    /// - Throws: ``EntitySchemaError`` where two kinds share a name or kinds are each other's parents.
    ///   A parent kind that is not in the list is left out of account.
    public init(_ types: [any SyncEntity.Type]) throws(EntitySchemaError) {
        var ordered: [any SyncEntity.Type] = []
        var placed: Set<EntityType> = []
        let known = Set(types.map { $0.entityType })
        guard known.count == types.count else {
            throw .duplicate(Self.firstDuplicate(in: types.map { $0.entityType }))
        }
        var rest = types
        while !rest.isEmpty {
            let ready = rest.filter { type in
                type.parents.allSatisfy {
                    placed.contains($0.entityType) || !known.contains($0.entityType)
                        || $0.entityType == type.entityType
                }
            }
            if ready.isEmpty { throw .cycle(rest.map { $0.entityType }) }
            ordered += ready
            placed.formUnion(ready.map { $0.entityType })
            rest.removeAll { placed.contains($0.entityType) }
        }
        self.init(ordered: ordered)
    }

    private init(ordered: [any SyncEntity.Type]) {
        self.types = ordered
        self.ranks = Dictionary(
            uniqueKeysWithValues: ordered.enumerated().map { ($0.element.entityType, $0.offset) })
    }

    /// The four kinds of the Trendy app.
    public static let trendy = EntitySchema(
        ordered: [EventType.self, Geofence.self, PropertyDefinition.self, Event.self])

    /// The Swift type of a kind, nil where it is not known here.
    public func type(for entityType: EntityType) -> (any SyncEntity.Type)? {
        ranks[entityType].map { types[$0] }
    }

    /// The place of a kind in the order of dependency: smaller is sent earlier. Unknown kinds come last.
    public func rank(of entityType: EntityType) -> Int {
        ranks[entityType] ?? types.count
    }

    /// The kinds whose records can belong to records of this kind, with the field that says so.
    public func children(of entityType: EntityType) -> [(type: any SyncEntity.Type, reference: ParentReference)] {
        types.flatMap { type in
            type.parents.filter { $0.entityType == entityType }.map { (type, $0) }
        }
    }

    private static func firstDuplicate(in names: [EntityType]) -> EntityType {
        var seen: Set<EntityType> = []
        return names.first { !seen.insert($0).inserted } ?? ""
    }
}

/// Says why kinds cannot stand together in one schema.
public enum EntitySchemaError: Error, Sendable, Hashable {
    /// Two kinds have this name.
    case duplicate(EntityType)
    /// These kinds need each other as parents.
    case cycle([EntityType])
}
