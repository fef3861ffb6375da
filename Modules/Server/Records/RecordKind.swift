public import TrendyDomain

/// A kind of record that a server keeps.
///
/// ```swift
/// RecordKind(ShoppingItem.self, rules: RecordRules(order: { $0.position }))
/// ```
public struct RecordKind: Sendable {
    /// The Swift type of the kind.
    public let type: any SyncEntity.Type
    let codec: any RecordCodec
    let isDescending: Bool

    /// Makes the kind of a type of record and the rules that the server has for it.
    public init<Entity: SyncEntity>(_ type: Entity.Type, rules: RecordRules<Entity> = RecordRules()) {
        self.type = type
        self.codec = EntityCodec<Entity>(rules: rules)
        self.isDescending = rules.isDescending
    }

    /// The name of the kind.
    public var entityType: EntityType { type.entityType }
}

extension RecordKind {
    /// Events: newest first; those from HealthKit are recognised by their sample.
    public static let event = RecordKind(
        Event.self,
        rules: RecordRules(
            order: { $0.timestamp.milliseconds }, isDescending: true,
            upsertKey: { event in
                // A blank sample id names no sample: it must not make two events one.
                guard event.sourceType == .healthKit, let sample = event.healthKitSampleId,
                    !sample.allSatisfy(\.isWhitespace)
                else { return nil }
                return sample
            }
        ).recognising([
            ("event_type_id", .reference(.eventType), false),
            ("external_id", .text(500), true),
            ("geofence_id", .reference(.geofence), true),
            ("id", .id, false),
            ("is_all_day", .flag, false),
            ("location_name", .text(500), true),
            ("notes", .text(10_000), true),
            ("original_title", .text(1_000), true),
            ("properties", .properties(100), false),
            ("source_type", .word(Set(SourceType.known.map(\.rawValue))), false),
            ("timestamp", .order, false),
        ]))
    /// Event types, in the order in which they were made.
    public static let eventType = RecordKind(EventType.self)
    /// Geofences, in the order in which they were made.
    public static let geofence = RecordKind(Geofence.self, rules: RecordRules(isActive: { $0.isActive }))
    /// Property definitions, in their display order.
    public static let propertyDefinition = RecordKind(
        PropertyDefinition.self, rules: RecordRules(order: { Int64($0.displayOrder) }))
}

/// All kinds of record that a server keeps.
public struct RecordCatalog: Sendable {
    /// The kinds, parents first.
    public let schema: EntitySchema
    private let kinds: [EntityType: RecordKind]
    private let parents: Set<EntityType>

    /// Makes the catalogue of these kinds.
    ///
    /// - Throws: ``EntitySchemaError`` where the kinds cannot stand together.
    public init(_ kinds: [RecordKind]) throws(EntitySchemaError) {
        self.init(kinds, schema: try EntitySchema(kinds.map(\.type)))
    }

    private init(_ kinds: [RecordKind], schema: EntitySchema) {
        self.schema = schema
        self.kinds = Dictionary(kinds.map { ($0.entityType, $0) }, uniquingKeysWith: { $1 })
        parents = Set(kinds.flatMap { $0.type.parents }.map(\.entityType))
    }

    /// The four kinds of the Trendy app.
    public static let trendy = RecordCatalog(
        [.eventType, .geofence, .propertyDefinition, .event], schema: .trendy)

    /// The kind of that name.
    ///
    /// - Throws: ``ServerProblem`` where the server does not keep it.
    public func kind(_ entityType: EntityType) throws -> RecordKind {
        guard let kind = kinds[entityType] else {
            throw ServerProblem(.notFound, "this server keeps no \(entityType.displayName) records")
        }
        return kind
    }

    /// Whether records can belong to those of a kind.
    func hasChildren(_ entityType: EntityType) -> Bool { parents.contains(entityType) }

    /// What becomes of a child when its parent is deleted; nil where the field names no parent any more.
    func deletion(of child: ChildRecord, with parent: EntityType) -> ParentReference.Deletion? {
        kinds[child.key.entityType]?.type.parents.first { $0.field == child.field && $0.entityType == parent }?.onDelete
    }
}
