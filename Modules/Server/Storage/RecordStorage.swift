public import Foundation
public import TrendyDomain

/// The name of a record among all records of all users.
public struct RecordKey: Sendable, Hashable {
    /// The record's kind.
    public var entityType: EntityType
    /// The record's id.
    public var id: String

    /// Names a record by its kind and id.
    public init(_ entityType: EntityType, _ id: String) {
        self.entityType = entityType
        self.id = id
    }
}

/// A record as the server keeps it: ready-made wire JSON and whose it is.
public struct StoredRecord: Sendable, Hashable {
    /// The record's kind and id.
    public var key: RecordKey
    /// The user whose record it is.
    public var userId: String
    /// The whole record as it goes over the wire, server fields included.
    public var document: Data
    /// When the server first had it.
    public var createdAt: Timestamp
    /// When it was changed last.
    public var updatedAt: Timestamp
    /// The revision of its latest change.
    public var revision: Int64
    /// The revision with which it was made.
    public var createdRevision: Int64

    /// Makes a record of its parts.
    public init(
        key: RecordKey, userId: String, document: Data, createdAt: Timestamp, updatedAt: Timestamp, revision: Int64,
        createdRevision: Int64
    ) {
        self.key = key
        self.userId = userId
        self.document = document
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.revision = revision
        self.createdRevision = createdRevision
    }
}

/// What a store must know of a record to find it without reading its JSON.
public struct RecordIndex: Sendable, Hashable {
    /// A field by which the record belongs to another.
    public struct Reference: Sendable, Hashable {
        /// The field that refers.
        public var field: String
        /// The record that it refers to.
        public var parent: RecordKey

        /// Makes a reference of its parts.
        public init(field: String, parent: RecordKey) {
            self.field = field
            self.parent = parent
        }
    }

    /// The place of the record in lists of its kind.
    public var order: Int64
    /// What no other record of this kind and user may have too.
    public var naturalKey: String?
    /// What a new record is recognised by as one that is there already.
    public var upsertKey: String?
    /// Whether lists of active records contain it.
    public var isActive: Bool
    /// The records that it refers to.
    public var references: [Reference]

    /// Makes an index; what is left out it does not have.
    public init(
        order: Int64 = 0, naturalKey: String? = nil, upsertKey: String? = nil, isActive: Bool = true,
        references: [Reference] = []
    ) {
        self.order = order
        self.naturalKey = naturalKey
        self.upsertKey = upsertKey
        self.isActive = isActive
        self.references = references
    }
}

/// A record's place in lists of its kind.
public struct RecordPosition: Sendable, Hashable {
    /// The first that lists are sorted by.
    public var order: Int64
    /// What decides between records of the same order.
    public var id: String

    /// Makes a place of its parts.
    public init(order: Int64, id: String) {
        self.order = order
        self.id = id
    }
}

/// Part of a list of records.
public struct RecordPage: Sendable, Hashable {
    /// The JSON of the records.
    public var documents: [Data]
    /// The place of the last one; nil where there is none.
    public var end: RecordPosition?

    /// Makes a page of its parts.
    public init(documents: [Data], end: RecordPosition?) {
        self.documents = documents
        self.end = end
    }
}

/// Which records of a kind to list.
public struct RecordQuery: Sendable, Hashable {
    /// At most this many; nil for all.
    public var limit: Int?
    /// How many of the first are left out.
    public var offset: Int
    /// Only those that come after this place.
    public var after: RecordPosition?
    /// Largest order first.
    public var isDescending: Bool
    /// Only those that refer to this parent by this field.
    public var parent: RecordIndex.Reference?
    /// Only the active, or only the inactive ones.
    public var isActive: Bool?

    /// Makes a query; what is left out restricts nothing.
    public init(
        limit: Int? = nil, offset: Int = 0, after: RecordPosition? = nil, isDescending: Bool = false,
        parent: RecordIndex.Reference? = nil, isActive: Bool? = nil
    ) {
        self.limit = limit
        self.offset = offset
        self.after = after
        self.isDescending = isDescending
        self.parent = parent
        self.isActive = isActive
    }
}

/// The records of all users.
public protocol RecordStorage {
    /// The record of that name, whoever owns it.
    func record(_ key: RecordKey) throws -> StoredRecord?

    /// The user who owns the record of that name.
    func owner(of key: RecordKey) throws -> String?

    /// The id of the user's record with that natural key.
    func recordId(of entityType: EntityType, naturalKey: String, userId: String) throws -> String?

    /// The id of the user's record with that upsert key.
    func recordId(of entityType: EntityType, upsertKey: String, userId: String) throws -> String?

    /// Adds a record; there must be none of that name.
    func insert(_ record: StoredRecord, index: RecordIndex) throws

    /// Puts a record in the place of the one of that name, which was indexed by `old`.
    func update(_ record: StoredRecord, index: RecordIndex, replacing old: RecordIndex) throws

    /// Removes a record that was indexed by `index`.
    func delete(_ key: RecordKey, index: RecordIndex) throws

    /// The user's records that the query asks for, by order and then by id.
    func page(of entityType: EntityType, userId: String, _ query: RecordQuery) throws -> RecordPage

    /// The ids of the records of a kind whose field names that parent, in ascending order.
    func children(_ entityType: EntityType, of reference: RecordIndex.Reference) throws -> [String]

    /// How many records of each kind the user has; kinds without any are left out.
    func counts(userId: String) throws -> [EntityType: Int]
}
