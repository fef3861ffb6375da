public import Foundation
public import TrendyDomain

/// A record, or what is left of one that was deleted.
public struct StoredRecord: Sendable, Hashable {
    /// The record's kind and id.
    public var key: RecordKey
    /// The JSON of its own fields, without those that the server adds; nil for a tombstone.
    public var document: Data?
    /// When the server first had it.
    public var createdAt: Timestamp
    /// When it was changed last, or deleted.
    public var updatedAt: Timestamp
    /// The revision of its latest change, or of its deletion.
    public var revision: Int64
    /// The revision with which it was made; that of its deletion for a tombstone.
    public var createdRevision: Int64

    /// Makes a record of its parts.
    public init(
        key: RecordKey, document: Data?, createdAt: Timestamp, updatedAt: Timestamp, revision: Int64,
        createdRevision: Int64
    ) {
        self.key = key
        self.document = document
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.revision = revision
        self.createdRevision = createdRevision
    }
}

/// What stands under a name that was used.
public enum Standing: Sendable, Hashable {
    /// A record of the user, or a tombstone of one.
    case own(StoredRecord)
    /// Another user's record or tombstone, of which nothing is told.
    case foreign

    /// The record, where it is the user's and no tombstone.
    var live: StoredRecord? {
        if case .own(let record) = self, record.document != nil { record } else { nil }
    }
}

/// A record that names another one.
public struct ChildRecord: Sendable, Hashable {
    /// The record's kind and id.
    public var key: RecordKey
    /// The revision of its latest change.
    public var revision: Int64
    /// The field that names the other one.
    public var field: String

    /// Makes it of its parts.
    public init(key: RecordKey, revision: Int64, field: String) {
        self.key = key
        self.revision = revision
        self.field = field
    }
}

/// A record or tombstone that is to be kept.
public struct RecordWrite: Sendable, Hashable {
    /// What stands under the name from now on.
    public var record: StoredRecord
    /// What it is found by; empty for a tombstone.
    public var index = RecordIndex()
    /// The references of what stood under the name before.
    public var former: [RecordIndex.Reference] = []
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
    public var order: Int64 = 0
    /// What no other record of this kind and user may get too, in the form in which it is compared.
    public var naturalKey: String?
    /// What a new record is recognised by as one that is there already.
    public var upsertKey: String?
    /// Whether lists of active records contain it.
    public var isActive = true
    /// The records that it refers to.
    public var references: [Reference] = []

    /// The keys that no other record of its kind has: the upsert key first.
    func uniqueKeys(of entityType: EntityType) -> [UniqueKey] {
        if naturalKey == nil, upsertKey == nil { return [] }
        let keys = [
            upsertKey.map { UniqueKey(entityType, .upsert, $0) },
            naturalKey.map { UniqueKey(entityType, .natural, $0) },
        ]
        return keys.compactMap { $0 }
    }
}

/// What one record of a kind and user has, and no other.
public struct UniqueKey: Sendable, Hashable {
    /// What makes it one.
    public enum Sort: String, Sendable, Hashable {
        /// It is the record's natural key.
        case natural
        /// A new record is recognised by it as one that is there already.
        case upsert
    }

    /// The kind of the record.
    public var entityType: EntityType
    /// What makes it one.
    public var sort: Sort
    /// Its value.
    public var text: String

    /// Makes a key of its parts.
    public init(_ entityType: EntityType, _ sort: Sort, _ text: String) {
        self.entityType = entityType
        self.sort = sort
        self.text = text
    }
}
