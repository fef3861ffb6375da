/// The place of one value in a record: a field, or a key of a field that is a map (``SyncEntity/mapFields``).
public struct FieldPath: Sendable, Hashable, Comparable {
    /// The field's name on the wire.
    public var field: String
    /// The key within the field; nil for the field as a whole.
    public var key: String?

    /// Names a place.
    public init(_ field: String, key: String? = nil) {
        self.field = field
        self.key = key
    }

    /// The order of the fields, and of the keys within each.
    public static func < (left: Self, right: Self) -> Bool {
        (left.field, left.key == nil ? 0 : 1, left.key ?? "") < (right.field, right.key == nil ? 0 : 1, right.key ?? "")
    }
}

extension [String: JSONValue] {
    /// The value at a place. Null and absent are the same: reading gives null, and writing null removes the value.
    public subscript(path: FieldPath) -> JSONValue {
        get {
            guard let key = path.key else { return self[path.field] ?? .null }
            return self[path.field]?.objectValue?[key] ?? .null
        }
        set {
            // As a literal, nil is JSON's null here.
            let value: JSONValue? = newValue == .null ? .none : newValue
            guard let key = path.key else {
                self[path.field] = value
                return
            }
            var members = self[path.field]?.objectValue ?? [:]
            if members.isEmpty && newValue == .null { return }
            members[key] = value
            self[path.field] = .object(members)
        }
    }
}

extension SyncEntity {
    /// The places of a document, or of a patch, of this kind: its fields, and of those that are maps each key.
    public static func places(of document: [String: JSONValue]) -> Set<FieldPath> {
        var places: Set<FieldPath> = []
        for (field, value) in document {
            if mapFields.contains(field) {
                for key in (value.objectValue ?? [:]).keys { places.insert(FieldPath(field, key: key)) }
            } else {
                places.insert(FieldPath(field))
            }
        }
        return places
    }
}
