/// A kind of record that can be stored, queued, sent and received.
///
/// One struct describes its kind once: its coding keys are the names on the wire and the names of the
/// columns. Optional properties are fields that may be null; absent and null mean the same in an answer.
///
/// ```swift
/// struct ShoppingItem: SyncEntity {
///     static let entityType: EntityType = "shopping_item"
///     static let fields = CodingKeys.allCases.map(\.stringValue)
///     var id: String
///     var name: String
///     var isPurchased = false
///
///     enum CodingKeys: String, CodingKey, CaseIterable {
///         case id, name
///         case isPurchased = "is_purchased"
///     }
/// }
/// ```
public protocol SyncEntity: Codable, Sendable, Hashable, Identifiable where ID == String {
    /// The name of the kind on the wire.
    static var entityType: EntityType { get }

    /// The wire names of all fields, `id` included.
    static var fields: [String] { get }

    /// The fields that hold another record's id. A parent reaches the server before its children.
    static var parents: [ParentReference] { get }

    /// The fields that no two records of one owner share together (a name, say); empty where there are none.
    ///
    /// Texts among them are names, and are compared as ``NaturalKey`` says: `Café ` and `CAFÉ` are the same. If a server
    /// refuses a new record as a duplicate, the record with equal values here stands for it.
    static var naturalKey: [String] { get }

    /// The fields by which servers recognise a new record as one that they have under another id; empty if there are
    /// none. They are the natural key, unless the kind says otherwise.
    static var recognitionKey: [String] { get }

    /// Whether an app itself gives a field this value if the person chooses none, like a colour of a palette.
    ///
    /// If two records become one because they have the same name, such a value gives way, and no conflict is listed.
    static func isSuggested(_ value: JSONValue, for field: String) -> Bool

    /// The fields that are JSON objects whose keys are changed one by one; empty if there are none.
    ///
    /// Changes of different keys of such a field merge, like changes of different fields. A patch names the changed
    /// keys only, and null removes a key. The value under a key is replaced whole.
    static var mapFields: [String] { get }

    /// What the keys of such fields name, where that is records of another kind; empty if they name none.
    static var mapKeys: [MapKeyReference] { get }

    /// A UUID of version 7, made by the device that made the record.
    ///
    /// The default of ``validate()`` demands that of records that are written here, and Trendy's own server takes no
    /// others. Nothing else depends on it: an id is any text that is not blank, and records that a server sends under
    /// ids of another form are taken as they are. A kind whose backend has other ids says so in a `validate()` of its
    /// own. Ids must be unique for ever, also those of deleted records.
    var id: String { get set }

    /// Checks the record against the rules of its kind.
    ///
    /// - Throws: ``ValidationError`` with every field that is wrong.
    func validate() throws

    /// Checks what a device needs of a record that a server sends.
    ///
    /// It demands less than ``validate()``, because servers may allow more than this version lets a person enter. The
    /// default demands an id.
    ///
    /// - Throws: ``ValidationError`` with every field that is wrong.
    func validateReceived() throws
}

extension SyncEntity {
    /// No parents, unless the kind has some.
    public static var parents: [ParentReference] { [] }
    /// No natural key, unless the kind has one.
    public static var naturalKey: [String] { [] }
    /// The natural key.
    public static var recognitionKey: [String] { naturalKey }
    /// No value, unless the kind has some.
    public static func isSuggested(_ value: JSONValue, for field: String) -> Bool { false }
    /// No maps, unless the kind has some.
    public static var mapFields: [String] { [] }
    /// Keys that name no records, unless the kind says otherwise.
    public static var mapKeys: [MapKeyReference] { [] }

    /// Demands a UUID of version 7 for an id, and nothing else.
    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        try checks.throwIfAny(for: Self.entityType)
    }
}

extension SyncEntity {
    /// Demands an id that is not blank, and nothing else.
    public func validateReceived() throws {
        var checks = FieldChecks()
        checks.requireNotBlank(id, "id")
        try checks.throwIfAny(for: Self.entityType)
    }
}

/// A field by which a record belongs to another.
public struct ParentReference: Sendable, Hashable {
    /// What becomes of the child when its parent is deleted.
    public enum Deletion: Sendable, Hashable {
        /// The child is deleted too.
        case cascade
        /// The child stays and its field is cleared.
        case clear
    }

    /// The wire name of the field that holds the parent's id.
    public var field: String
    /// The kind of the parent.
    public var entityType: EntityType
    /// What becomes of the child when its parent is deleted.
    public var onDelete: Deletion

    /// Says which kind a field refers to, and what becomes of the record when that one is deleted.
    public init(field: String, entityType: EntityType, onDelete: Deletion) {
        self.field = field
        self.entityType = entityType
        self.onDelete = onDelete
    }
}
