/// That the keys of a map are names of records of another kind, as the keys of an event's properties are.
///
/// If two devices make such a record under spellings that are the same name, one of them stands for both, and the values
/// move to its spelling.
public struct MapKeyReference: Sendable, Hashable {
    /// The wire name of the field that is a map; one of ``SyncEntity/mapFields``.
    public var field: String
    /// The kind whose records the keys name.
    public var entityType: EntityType
    /// The field of these records that has the name.
    public var keyField: String
    /// The field by which both kinds belong to the same parent. A key names the record of that parent alone.
    public var parentField: String

    /// Says what the keys of a map name.
    public init(field: String, entityType: EntityType, keyField: String, parentField: String) {
        self.field = field
        self.entityType = entityType
        self.keyField = keyField
        self.parentField = parentField
    }
}
