import TrendyDomain

/// A kind of record as documents. Deployed servers send them in many forms; they are compared in one, the canonical
/// form.
struct RESTKind: Sendable {
    let type: any SyncEntity.Type
    let schema: EntitySchema

    init?(_ entityType: EntityType, in schema: EntitySchema) {
        guard let type = schema.type(for: entityType) else { return nil }
        self.type = type
        self.schema = schema
    }

    var entityType: EntityType { type.entityType }
    var fields: Set<String> { Set(type.fields) }

    /// The document in the form of the exchange: times in milliseconds, defaults filled in, no nulls. Unknown fields
    /// stay, except for whole records that some servers embed. Nil if it is no usable record of the kind.
    func canonical(_ document: RecordDocument) -> RecordDocument? {
        guard var canonical = read(self.type, document) else { return nil }
        for (field, value) in document
        where value != .null && canonical[field] == nil && schema.type(for: EntityType(rawValue: field)) == nil {
            if !fields.contains(field), !RecordShape.unchangeable.contains(field) { canonical[field] = value }
        }
        return canonical
    }

    private func read<Entity: SyncEntity>(_ type: Entity.Type, _ document: RecordDocument) -> RecordDocument? {
        (try? WireCoding.value(Remote<Entity>.self, from: document)).flatMap(Self.canonical)
    }

    static func canonical<Entity: SyncEntity>(_ remote: Remote<Entity>) -> RecordDocument? {
        (try? remote.entity.validateReceived()).flatMap { try? WireCoding.fields(of: remote) }
    }

    /// Whether two versions are the same: equal in the known fields and in the time of change.
    ///
    /// The time alone proves nothing, because a server's clock may show the same time for two changes. Unknown fields
    /// do not come with every route. The second version is in canonical form.
    func isSame(_ known: RecordDocument?, _ there: RecordDocument) -> Bool {
        guard let known = known.flatMap(canonical) else { return false }
        return known.updatedAt == there.updatedAt && fields.allSatisfy { known[$0] == there[$0] }
    }

    /// The records that a document names as its parents, by the fields that name them.
    func parents(of document: RecordDocument) -> [(field: String, key: RecordKey, onDelete: ParentReference.Deletion)] {
        type.parents.compactMap { reference in
            guard let id = document[reference.field]?.stringValue, schema.type(for: reference.entityType) != nil
            else { return nil }
            let key = RecordKey(reference.entityType, id)
            return (reference.field, key, reference.onDelete)
        }
    }

    func key(of document: RecordDocument) -> RecordKey { RecordKey(entityType, document.id) }

    // MARK: One of a kind

    /// Whether a server takes both for one record.
    func isTwin(_ left: RecordDocument, _ right: RecordDocument) -> Bool {
        left.id != right.id && type.isSame(left, right)
    }

    /// The one of some records that a server takes for the same as another.
    ///
    /// Servers that compare names as they are spelt can have several whose names are the same. Then it is the one with the
    /// same spelling.
    func twin(of document: RecordDocument, among others: [RecordDocument]) -> RecordDocument? {
        let twins = others.filter { isTwin($0, document) }
        return twins.first { twin in type.naturalKey.allSatisfy { twin[$0] == document[$0] } } ?? twins.first
    }

    /// The fields that deployed servers demand to be unique.
    var uniqueFields: [String] {
        [EntityType.event: ["event_type_id", "timestamp"], .geofence: ["name"]][entityType] ?? []
    }

    /// The sets of fields of which no two records of a server may have the same values.
    var uniqueSets: [[String]] { [type.naturalKey, uniqueFields].filter { !$0.isEmpty } }

    /// The fields by which people tell records of the kind apart, with their values. They seldom change.
    func identity(of document: RecordDocument) -> RecordDocument {
        let fields = uniqueSets.first ?? []
        return document.filter { fields.contains($0.key) && !$0.value.isAbsentToServers }
    }

    /// The field by which deployed servers list a kind page by page, the greatest value first; nil where they list it
    /// whole.
    var listingOrder: String? { [EntityType.event: "timestamp"][entityType] }

    /// The values of the unique fields; nil where the kind has none.
    func uniqueValues(of document: RecordDocument?) -> [JSONValue]? {
        uniqueFields.isEmpty ? nil : uniqueFields.map { document?[$0] ?? .null }
    }

    /// The fields that deployed servers reset if an edit does not name them.
    static let alwaysSent: Set<String> = ["display_order"]
}

extension JSONValue {
    /// Whether deployed servers take the value for "unchanged" in an edit.
    var isAbsentToServers: Bool { self == .null || self == "" || doubleValue == 0 }
}

extension RecordDocument {
    var id: String { self["id"]?.stringValue ?? "" }
}
