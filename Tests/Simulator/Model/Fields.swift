import TrendyDomain

/// The members of a record or of a change of one, by the names of their fields.
typealias Fields = [String: JSONValue]

/// The place of one value in a record: a field, or a key of a field that is a map.
struct FieldPath: Hashable, Comparable, CustomStringConvertible {
    var field: String
    var key: String?

    static func < (left: Self, right: Self) -> Bool {
        (left.field, left.key ?? "") < (right.field, right.key ?? "")
    }

    var description: String { key.map { "\(field).\($0)" } ?? field }

    /// The fields of all kinds that are maps.
    static let maps = Set(EntitySchema.trendy.types.flatMap { $0.mapFields })
    /// What the server says of a record, and the id.
    static let unchangeable: Set<String> = ["id", "user_id", "created_at", "updated_at"]
}

extension Fields {
    /// The value at a place; null where there is none.
    subscript(path: FieldPath) -> JSONValue {
        get {
            guard let key = path.key else { return self[path.field] ?? .null }
            return self[path.field]?.objectValue?[key] ?? .null
        }
        set {
            guard let key = path.key else {
                self[path.field] = newValue
                return
            }
            var members = self[path.field]?.objectValue ?? [:]
            members[key] = newValue
            self[path.field] = .object(members)
        }
    }

    /// The places that a change names.
    var paths: [FieldPath] {
        var paths: [FieldPath] = []
        for (field, value) in self where !FieldPath.unchangeable.contains(field) {
            if FieldPath.maps.contains(field), case .object(let members) = value {
                paths += members.keys.map { FieldPath(field: field, key: $0) }
            } else {
                paths.append(FieldPath(field: field))
            }
        }
        return paths.sorted()
    }

    /// The places at which two records differ.
    func differences(from other: Fields) -> [FieldPath] {
        var paths: Set<FieldPath> = []
        for (field, value) in self where other[field] != value { paths.formUnion([field: value].paths) }
        for (field, value) in other where self[field] != value { paths.formUnion([field: value].paths) }
        return paths.filter { path in
            if path.key == nil, FieldPath.maps.contains(path.field) { return false }
            return self[path] != other[path]
        }.sorted()
    }

    /// The change that leads here from another version.
    func change(from other: Fields) -> Fields {
        var change: Fields = [:]
        for path in differences(from: other) { change[path] = self[path] }
        return change
    }

    /// The record with a change carried out.
    func applying(_ change: Fields) -> Fields {
        var changed = self
        for (field, value) in change where !FieldPath.unchangeable.contains(field) {
            if FieldPath.maps.contains(field), case .object(let members) = value {
                let merged = (changed[field]?.objectValue ?? [:]).merging(members) { $1 }
                changed[field] = .object(merged.filter { $0.value != .null })
            } else {
                changed[field] = value == .null ? Optional.none : value
            }
        }
        return changed
    }
}
