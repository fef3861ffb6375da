/// The values of a record's natural key as they are compared: names by their ``NameKey``, other values and the ids of
/// parents as they are.
///
/// No two records of one owner and kind have equal keys. A server answers a new record by the one that has its key.
public struct NaturalKey: Sendable, Hashable {
    /// The values, in the order of ``SyncEntity/naturalKey``.
    public let values: [JSONValue]

    /// Makes the key of a record's fields; nil where the kind has none, or a value of it is missing.
    public init?(of type: any SyncEntity.Type, in fields: [String: JSONValue]) {
        let parents = Set(type.parents.map(\.field))
        var values: [JSONValue] = []
        for field in type.naturalKey {
            guard let value = fields[field], value != .null else { return nil }
            if case .string(let name) = value, !parents.contains(field) {
                values.append(.string(NameKey(name).text))
            } else {
                values.append(value)
            }
        }
        if values.isEmpty { return nil }
        self.values = values
    }

    /// Makes the key of a record; nil as for its fields.
    ///
    /// - Throws: What the record's own coding throws.
    public init?<Entity: SyncEntity>(_ entity: Entity) throws {
        self.init(of: Entity.self, in: try WireCoding.fields(of: entity))
    }
}

extension SyncEntity {
    /// Whether records with these fields stand for the same thing: they have one natural key, or equal values in the
    /// fields by which servers recognise a record.
    public static func isSame(_ left: [String: JSONValue], _ right: [String: JSONValue]) -> Bool {
        if let key = NaturalKey(of: Self.self, in: left), key == NaturalKey(of: Self.self, in: right) { return true }
        if recognitionKey.isEmpty || recognitionKey == naturalKey { return false }
        return recognitionKey.allSatisfy { field in
            guard let value = left[field], value != .null else { return false }
            return value == right[field]
        }
    }
}
