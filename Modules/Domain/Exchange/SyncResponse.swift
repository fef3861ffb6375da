/// What a server answers to a ``SyncRequest``.
public struct SyncResponse: Codable, Sendable, Hashable {
    /// The epoch: the name of the history that the revisions belong to.
    public var epoch: String
    /// The head: the revision of the account's latest change.
    public var head: Int64
    /// What became of each mutation, in the order in which they were sent.
    public var results: [SyncResult]
    /// Records and tombstones after the cursor, each as it is now.
    ///
    /// It leaves out the records of mutations of this request that were accepted now.
    public var changes: [SyncChange]
    /// The cursor for the next request. It has no meaning to a device.
    public var cursor: String
    /// Whether the next page is there at once.
    public var more: Bool
    /// The errors of mutations on which the server failed, by their keys. It is not on the wire: a gateway that sends
    /// mutations one by one knows them.
    package var failures: [String: APIError] = [:]

    private enum CodingKeys: String, CodingKey {
        case epoch, head, results, changes, cursor, more
    }

    /// Makes an answer of its parts.
    public init(
        epoch: String, head: Int64, results: [SyncResult] = [], changes: [SyncChange] = [], cursor: String,
        more: Bool = false
    ) {
        self.epoch = epoch
        self.head = head
        self.results = results
        self.changes = changes
        self.cursor = cursor
        self.more = more
    }
}

/// What became of a mutation.
public enum SyncOutcome: String, Codable, Sendable, Hashable, CaseIterable {
    /// It is done, now or by an earlier request with the same key.
    case accepted
    /// An update or delete did not begin from the record's present version, which comes with the result.
    case stale
    /// The id of a create is taken. The record comes with the result, unchanged.
    case exists
    /// The record has a tombstone that the operation did not begin from, or was never there.
    case deleted
    /// Another record has the natural key or the recognition key of a create. That record comes with the result.
    case duplicate
    /// The server refuses it; the errors say why.
    case rejected
    /// A record that it names as its parent is not there.
    case blocked
}

/// The answer to one mutation.
public struct SyncResult: Codable, Sendable, Hashable {
    /// The mutation's key.
    public var key: String
    /// What became of it.
    public var outcome: SyncOutcome
    /// The revision of the record, or of its tombstone; 0 if there is none. A replayed result has the revision of
    /// then.
    public var revision: Int64
    /// The revision with which ``record`` was made; nil if no record comes with the result.
    ///
    /// A record that was deleted and made again has a greater one than before.
    public var createdRevision: Int64?
    /// Whether an earlier request has carried the mutation out under this key, so that nothing was done now.
    public var replayed: Bool
    /// The server's record, if the device cannot know it: always with `stale`, `exists` and `duplicate`, and with
    /// `accepted` only if the server made something else of it than was sent.
    public var record: JSONValue?
    /// The fields that the server adds to an accepted record, if ``record`` is left out.
    public var server: ServerFields?
    /// Why it was rejected, as a sentence.
    public var message: String?
    /// Each wrong field of a rejected mutation, or the field that names the missing parent of a blocked one.
    public var errors: [FieldError]?
    /// What the server said, where a gateway has made the result of another answer. It is not on the wire.
    package var answer: ServerAnswer?

    /// Makes a result of its parts.
    public init(
        key: String, outcome: SyncOutcome, revision: Int64 = 0, createdRevision: Int64? = nil, replayed: Bool = false,
        record: JSONValue? = nil, server: ServerFields? = nil, message: String? = nil, errors: [FieldError]? = nil
    ) {
        self.key = key
        self.outcome = outcome
        self.revision = revision
        self.createdRevision = createdRevision
        self.replayed = replayed
        self.record = record
        self.server = server
        self.message = message
        self.errors = errors
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decode(String.self, forKey: .key)
        outcome = try container.decode(SyncOutcome.self, forKey: .outcome)
        revision = try container.decodeIfPresent(Int64.self, forKey: .revision) ?? 0
        createdRevision = try container.decodeIfPresent(Int64.self, forKey: .createdRevision)
        replayed = try container.decodeIfPresent(Bool.self, forKey: .replayed) ?? false
        record = try container.decodeIfPresent(JSONValue.self, forKey: .record)
        server = try container.decodeIfPresent(ServerFields.self, forKey: .server)
        message = try container.decodeIfPresent(String.self, forKey: .message)
        errors = try container.decodeIfPresent([FieldError].self, forKey: .errors)
    }

    private enum CodingKeys: String, CodingKey {
        case key, outcome, revision, replayed, record, server, message, errors
        case createdRevision = "created_revision"
    }
}

/// A record or a tombstone as the server has it.
public struct SyncChange: Codable, Sendable, Hashable {
    /// The kind of the record.
    public var entityType: EntityType
    /// The record's id.
    public var entityId: String
    /// The revision of the record's latest change.
    public var revision: Int64
    /// The revision with which the record was made; nil for a tombstone.
    public var createdRevision: Int64?
    /// The record, server fields included; nil for a tombstone.
    public var record: JSONValue? {
        get { kept?.value }
        set { kept = newValue.map { KeptJSON($0) } }
    }
    /// The record as it came, from which it can be decoded faster than from ``record``.
    package private(set) var kept: KeptJSON?
    /// Whether the record is gone.
    public var deleted: Bool

    /// Makes a change of its parts; without a record it is a tombstone.
    public init(
        entityType: EntityType, entityId: String, revision: Int64, createdRevision: Int64? = nil,
        record: JSONValue? = nil
    ) {
        self.init(
            entityType: entityType, entityId: entityId, revision: revision, createdRevision: createdRevision,
            kept: record.map { KeptJSON($0) })
    }

    init(entityType: EntityType, entityId: String, revision: Int64, createdRevision: Int64?, kept: KeptJSON?) {
        self.entityType = entityType
        self.entityId = entityId
        self.revision = revision
        self.createdRevision = createdRevision
        self.kept = kept
        deleted = kept == nil
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        entityType = try container.decode(EntityType.self, forKey: .entityType)
        entityId = try container.decode(String.self, forKey: .entityId)
        revision = try container.decode(Int64.self, forKey: .revision)
        createdRevision = try container.decodeIfPresent(Int64.self, forKey: .createdRevision)
        kept = try container.decodeIfPresent(JSONValue.self, forKey: .kept).map { KeptJSON($0) }
        deleted = try container.decodeIfPresent(Bool.self, forKey: .deleted) ?? false
        guard deleted == (kept == nil) else {
            throw DecodingError.dataCorruptedError(
                forKey: .kept, in: container, debugDescription: "a change has either a record or deleted: true")
        }
    }

    private enum CodingKeys: String, CodingKey {
        case revision, deleted
        case kept = "record"
        case createdRevision = "created_revision"
        case entityType = "entity_type"
        case entityId = "entity_id"
    }
}
