/// What a device sends to `POST /api/v1/sync`: its outbox, and the cursor after which it wants changes.
///
/// One request carries both directions, and one answer settles both (``SyncResponse``). The contract is in
/// `Docs/Protocol.md`.
public struct SyncRequest: Codable, Sendable, Hashable {
    /// The most mutations that a server takes in one request.
    public static let mutationLimit = 2_000
    /// The most changes that a server puts into one answer.
    public static let changeLimit = 2_000
    /// The most bytes that the body of a request may have: 8 MiB.
    public static let byteLimit = 8 << 20

    /// The epoch that the device knows; nil if it knows none.
    public var epoch: String?
    /// The cursor of the last answer; nil to begin a snapshot.
    public var cursor: String?
    /// How many changes the answer may have.
    public var limit: Int
    /// The open operations of the device, in the order in which they were made.
    public var mutations: [SyncMutation]

    /// The keys of its mutations.
    public var keys: Set<String> { Set(mutations.map(\.key)) }

    /// Makes a request; without anything else it asks for the first page of a snapshot.
    public init(epoch: String? = nil, cursor: String? = nil, limit: Int = 1_000, mutations: [SyncMutation] = []) {
        self.epoch = epoch
        self.cursor = cursor
        self.limit = limit
        self.mutations = mutations
    }
}

/// One operation of a device, on its way to the server.
public struct SyncMutation: Codable, Sendable, Hashable {
    /// The idempotency key: the same for every attempt, and never used for another record, operation or data.
    public var key: String
    /// The kind of the record.
    public var entityType: EntityType
    /// What the server is to do with the record.
    public var operation: MutationOperation
    /// The record's id.
    public var entityId: String
    /// The revision of the version that the operation began from; 0 if the server had none.
    public var base: Int64
    /// The record of a create, or the patch of an update: absent means unchanged, null means cleared, and a field that
    /// the kind declares as a map is merged key by key (``SyncEntity/mapFields``).
    public var data: JSONValue? {
        get { kept?.value }
        set { kept = newValue.map { KeptJSON($0) } }
    }
    /// The data as it was stored, which is sent without being read.
    package private(set) var kept: KeptJSON?

    /// Makes a mutation of its parts.
    public init(
        key: String, entityType: EntityType, operation: MutationOperation, entityId: String, base: Int64 = 0,
        data: JSONValue? = nil
    ) {
        self.init(
            key: key, entityType: entityType, operation: operation, entityId: entityId, base: base,
            kept: data.map { KeptJSON($0) })
    }

    package init(
        key: String, entityType: EntityType, operation: MutationOperation, entityId: String, base: Int64,
        kept: KeptJSON?
    ) {
        self.key = key
        self.entityType = entityType
        self.operation = operation
        self.entityId = entityId
        self.base = base
        self.kept = kept
    }

    private enum CodingKeys: String, CodingKey {
        case key, operation, base
        case kept = "data"
        case entityType = "entity_type"
        case entityId = "entity_id"
    }
}
