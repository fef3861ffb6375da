import TrendyDomain

/// A record by the names of its fields, with those that this version does not know.
typealias RecordDocument = [String: JSONValue]

/// What fold and merge have to know of a kind of record.
struct RecordShape: Sendable, Hashable {
    /// Fields that no edit changes: the id and what the server says of a record.
    static let unchangeable = Set(["id"] + ServerFields.CodingKeys.allCases.map(\.rawValue))

    /// The fields that this version knows.
    var fields: Set<String>
    /// The fields that are maps: each of their keys is changed and merged by itself.
    var maps: Set<String>
    /// The fields that are the record's name, which no other record of its kind has at the same time.
    var names: Set<String>
    /// The references that a record loses when what they name is deleted.
    var clearable: Set<String> = []

    init(fields: Set<String>, maps: Set<String> = [], names: Set<String> = []) {
        (self.fields, self.maps, self.names) = (fields, maps, names)
    }

    init<Entity: SyncEntity>(_ type: Entity.Type) {
        self.init(fields: Set(Entity.fields), maps: Set(Entity.mapFields), names: Set(Entity.naturalKey))
        clearable = Set(Entity.parents.filter { $0.onDelete == .clear }.map(\.field))
    }

    /// Whether a change gives up a name that another record may wait for.
    func isRename(_ change: OpenOperation.Change) -> Bool {
        if case .update(let patch) = change { names.contains { patch.values[FieldPath($0)] != nil } } else { false }
    }

    /// The places in a document that hold a value and can be changed.
    func paths(of document: RecordDocument) -> Set<FieldPath> {
        var paths: Set<FieldPath> = []
        for (field, value) in document where value != .null && !Self.unchangeable.contains(field) {
            if maps.contains(field), let members = value.objectValue {
                for (key, value) in members where value != .null { paths.insert(FieldPath(field, key: key)) }
            } else {
                paths.insert(FieldPath(field))
            }
        }
        return paths
    }
}
