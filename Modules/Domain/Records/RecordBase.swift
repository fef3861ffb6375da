/// The server's version of a record that readers see differently.
///
/// A store keeps one for a record that has open operations, that was deleted, or that is hidden with a parent. A
/// synced record is its own base.
public struct RecordBase: Sendable, Hashable {
    /// The kind of the record.
    public var entityType: EntityType
    /// The record's id.
    public var id: String
    /// The version with all of its fields, also those that this version of the program does not know. For a deleted
    /// record it is the last known version, while edits of it are open; nil otherwise.
    public var document: [String: JSONValue]?
    /// Whether the record is deleted on the server.
    public var isDeleted: Bool
    /// The revision of the version, or of its tombstone; negative where it is of a former epoch, and 0 where it is not
    /// known.
    public var revision: Int64
    /// The revision with which the record was made; 0 where that is not known.
    public var createdRevision: Int64

    /// Makes a base of its parts.
    public init(
        _ entityType: EntityType, id: String, document: [String: JSONValue]?, isDeleted: Bool = false, revision: Int64,
        createdRevision: Int64 = 0
    ) {
        self.entityType = entityType
        self.id = id
        self.document = document
        self.isDeleted = isDeleted
        self.revision = revision
        self.createdRevision = createdRevision
    }
}

/// The status and the revisions of a record.
public struct RecordStanding: Sendable, Hashable {
    /// Whether the server has it as it is here.
    public var syncStatus: SyncStatus
    /// The revision of the server's version; 0 where there is none, and negative where it is of a former epoch.
    public var revision: Int64
    /// The revision with which the record was made; 0 where that is not known.
    public var createdRevision: Int64

    /// Makes it of its parts.
    public init(syncStatus: SyncStatus, revision: Int64, createdRevision: Int64) {
        self.syncStatus = syncStatus
        self.revision = revision
        self.createdRevision = createdRevision
    }
}

/// The server's answer about a record that it has exactly as it is here.
public struct RecordConfirmation: Sendable, Hashable {
    /// The record's id.
    public var id: String
    /// The revision of the version.
    public var revision: Int64
    /// The revision with which the record was made; nil to keep the known one.
    public var createdRevision: Int64?
    /// The fields that the server adds; a nil part keeps the known value.
    public var server: ServerFields

    /// Makes it of its parts.
    public init(id: String, revision: Int64, createdRevision: Int64? = nil, server: ServerFields = ServerFields()) {
        self.id = id
        self.revision = revision
        self.createdRevision = createdRevision
        self.server = server
    }
}
